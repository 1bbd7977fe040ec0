import type { PolicyTextView, Problem, TextProblem } from "@byleave/api"
import { useEffect, useReducer, useRef, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { type AddedLines, addedLines } from "./added-lines.ts"
import { type DraftEvent, isEdited, newDraft, nextDraft, type PolicyDraft } from "./draft.ts"
import { asEdited, asWritten } from "./editor/line-ends.ts"
import { type PreviewState, problemsOf } from "./review/preview-state.ts"
import { usePreview } from "./review/use-preview.ts"

export type EditablePolicy = PolicyTextView & { readonly text: string }

export type PolicyEditing = {
  readonly draft: PolicyDraft
  readonly isEdited: boolean
  readonly step: "edit" | "review"
  readonly preview: PreviewState
  readonly problems: readonly TextProblem[]
  readonly saving: { readonly isBusy: boolean; readonly problem: Problem | null }
  /** True from a saving until the next change. */
  readonly isSaved: boolean
  readonly tell: (event: DraftEvent) => void
  readonly review: () => void
  readonly lookAgain: () => void
  readonly edit: () => void
  /** Adds a rule to the text; gives where it stands now, or why it was not added. */
  readonly addRule: (rule: string, replaces: readonly string[]) => Promise<AddedLines | { readonly why: string }>
  readonly save: () => Promise<void>
}

/** The policy's text in the making: the draft, what a look at it found, and how it is saved. */
export function usePolicyEditing(policy: EditablePolicy, isOpen: boolean, readAgain: () => void): PolicyEditing {
  const text = asEdited(policy.text)
  const { version } = policy
  const [draft, tellDraft] = useReducer(nextDraft, { text, version }, newDraft)
  const [preview, tellPreview] = usePreview()
  const [step, setStep] = useState<PolicyEditing["step"]>("edit")
  const [isSaved, setSaved] = useState(false)
  const { act, isBusy, problem, forget } = useAct("savePolicy")
  const adding = useAct("addRule")
  const edited = isEdited(draft)
  const typed = useRef(draft.text)
  useEffect(() => {
    typed.current = draft.text
  }, [draft.text])

  useEffect(() => {
    tellDraft({ type: "read", saved: { text, version } })
    tellPreview({ type: "outdated" })
  }, [text, version, tellPreview])
  // A look at the text while the file could not be read says nothing of it now.
  useEffect(() => {
    if (isOpen) tellPreview({ type: "outdated" })
    else setStep("edit")
  }, [isOpen, tellPreview])
  useEffect(() => {
    tellPreview(edited ? { type: "changed", text: draft.text, ask: "after a pause" } : { type: "left" })
  }, [edited, draft.text, tellPreview])

  const tell = (event: DraftEvent): void => {
    setSaved(false)
    forget()
    if (event.type !== "typed") setStep("edit")
    tellDraft(event)
  }
  return {
    draft,
    isEdited: edited,
    // Somebody else's saved text comes first: a review against an outdated policy would mislead.
    step: draft.theirs === null ? step : "edit",
    preview,
    problems: edited ? problemsOf(preview) : policy.problems,
    saving: { isBusy, problem },
    isSaved,
    tell,
    review: () => {
      if (!edited || draft.theirs !== null) return
      forget()
      tellPreview({ type: "changed", text: draft.text, ask: "at once" })
      readAgain()
      setStep("review")
    },
    lookAgain: () => tellPreview({ type: "outdated" }),
    edit: () => setStep("edit"),
    addRule: async (rule, replaces) => {
      const before = draft.text
      const reply = await adding.act({ body: { text: before, rule, replaces: [...replaces] } })
      if (!reply.ok) return { why: reply.problem.detail ?? reply.problem.title }
      if (typed.current !== before) return { why: "The text changed in the meantime. Add the rule again." }
      const { text: after } = reply.value
      tell({ type: "typed", text: after })
      return addedLines(before, after)
    },
    save: async () => {
      const sent = draft.text
      const reply = await act({ body: { text: asWritten(sent, policy.text), version: draft.base.version } })
      if (reply.ok) {
        const saved = { text: asEdited(reply.value.text ?? sent), version: reply.value.version }
        tellDraft({ type: "saved", saved, sent })
        setSaved(true)
      } else if (reply.problem.code === "conflict") readAgain()
      if (reply.ok || reply.problem.code === "conflict") setStep("edit")
    },
  }
}
