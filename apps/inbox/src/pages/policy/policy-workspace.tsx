import { Button, Notice } from "@byleave/ui"
import { type ReactNode, useRef, useState } from "react"
import { LeaveGuard } from "../places/leave-guard.tsx"
import { AsideText, Conflict } from "./conflict.tsx"
import { isAtRisk } from "./draft.ts"
import type { EditorHandle } from "./editor/editor-handle.ts"
import { TextEditor } from "./editor/text-editor.tsx"
import { Observed } from "./observed.tsx"
import look from "./policy-workspace.module.css"
import { ProblemList } from "./problem-list.tsx"
import { NotSaved, Review } from "./review/review.tsx"
import { stateWords } from "./state-words.ts"
import { Suggestions } from "./suggestions.tsx"
import { type EditablePolicy, usePolicyEditing } from "./use-policy-editing.ts"

type PolicyDeskProps = {
  readonly policy: EditablePolicy
  /** False while the file cannot be edited here: what was typed stays, and nothing can be saved. */
  readonly isOpen: boolean
  /** Reads the file again, as when saving met somebody else's. */
  readonly onReadAgain: () => void
}

/** Where the policy's text is edited, looked at, and saved. */
export function PolicyWorkspace({ policy, isOpen, onReadAgain }: PolicyDeskProps): ReactNode {
  const desk = usePolicyEditing(policy, isOpen, onReadAgain)
  const { draft, tell } = desk
  const editor = useRef<EditorHandle>(null)
  const [byHand, setByHand] = useState<string | null>(null)
  // The text is back on the page only after it was drawn again.
  const back = (then: (handle: EditorHandle) => void): void => {
    desk.edit()
    requestAnimationFrame(() => editor.current !== null && then(editor.current))
  }
  const goTo = (line: number, column?: number): void => back((handle) => handle.goTo(line, column))
  const put = async (rule: string, replaces: readonly string[]): Promise<void> => {
    const added = await desk.addRule(rule, replaces)
    setByHand("why" in added ? added.why : null)
    if ("from" in added) requestAnimationFrame(() => editor.current?.select(added.from, added.to))
  }
  const step = isOpen ? desk.step : "edit"
  const isTyped = desk.isEdited || draft.aside !== null
  if (!isOpen && !isTyped) return null
  return (
    <>
      <LeaveGuard isEdited={isAtRisk(draft)} title="Leave without saving?" stay="Keep editing">
        Your changes to the policy are not saved and will be lost if you leave this page.
      </LeaveGuard>
      {!isOpen && (
        <Notice tone="wait">Your text is kept here. You can save it once the file can be edited again.</Notice>
      )}
      {draft.theirs !== null && <Conflict draft={draft} theirs={draft.theirs} tell={tell} />}
      {step === "edit" && draft.theirs === null && desk.saving.problem !== null && (
        <NotSaved problem={desk.saving.problem} />
      )}
      {desk.isSaved && <Notice tone="yes">Saved and in effect.</Notice>}
      {byHand !== null && <Notice tone="wait">{byHand}</Notice>}
      {step === "review" && (
        <Review
          before={draft.base.text}
          after={draft.text}
          preview={desk.preview}
          saving={desk.saving}
          onBack={() => back((handle) => handle.focus())}
          onGoTo={goTo}
          onAgain={desk.lookAgain}
          onSave={() => void desk.save()}
        />
      )}
      <div className={look.desk} hidden={step !== "edit"}>
        <div className={look.main}>
          <TextEditor
            ref={editor}
            label={policy.file}
            text={draft.text}
            problems={desk.problems}
            isLocked={desk.saving.isBusy}
            onText={(text) => tell({ type: "typed", text })}
            onSave={() => isOpen && desk.review()}
          />
          {draft.text.includes(maskBegins) && (
            <p className={look.state}>
              Secrets in this file are masked. Leave each mask in place; it is replaced by its secret when you save.
            </p>
          )}
          <div className={look.bar}>
            <span className={look.state} role="status">
              {stateWords(draft, desk.preview, policy.inForce)}
            </span>
            <Button tone="quiet" disabled={!desk.isEdited} onClick={() => tell({ type: "undone" })}>
              Discard changes
            </Button>
            <Button disabled={!isOpen || !desk.isEdited || draft.theirs !== null} onClick={desk.review}>
              Review changes
            </Button>
          </div>
        </div>
        <aside className={look.side} aria-label="Problems">
          <ProblemList problems={desk.problems} otherwise="No problems." onGoTo={goTo} />
        </aside>
      </div>
      {step === "edit" && <Suggestions onPut={(rule, replaces) => void put(rule, replaces)} />}
      {step === "edit" && <Observed onPut={(rule, replaces) => void put(rule, replaces)} />}
      {step === "edit" && draft.aside !== null && <AsideText draft={draft} aside={draft.aside} tell={tell} />}
    </>
  )
}

/** How the service masks what nobody is to read. */
const maskBegins = "‹secret-"
