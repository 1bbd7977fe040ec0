import type { ApprovalView, UndoView } from "@byleave/api"
import { looksSecret, showText, toolName } from "@byleave/core"
import { type ReactNode, useState } from "react"
import { Button } from "../parts/button.tsx"
import { Dialog } from "../parts/dialog.tsx"
import type { CardHands } from "../verdict/verdict.ts"
import { exactTime } from "../words/time-words.ts"
import { DiffView } from "./diff-view.tsx"
import look from "./outcome.module.css"
import { LongText, Masked, Sentence } from "./shown-value.tsx"

type PutBackProps = { readonly approval: ApprovalView; readonly hands: Pick<CardHands, "loadUndo" | "onPutBack"> }

/** Of a call that changed a file whose former content is kept: the way back. */
export function PutBack({ approval, hands }: PutBackProps): ReactNode {
  const [undo, setUndo] = useState<UndoView | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (approval.status !== "succeeded" || approval.readBefore === undefined) return null
  const during = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    await work().finally(() => setBusy(false))
  }
  const open = () => during(async () => setUndo(await hands.loadUndo(approval)))
  const putBack = () =>
    during(async () => {
      if (undo?.kind === "ready") await hands.onPutBack(approval, undo)
      setUndo(null)
    })
  return (
    <>
      <p className={look.undo}>
        The file was read before the call ran, at {exactTime(approval.readBefore)}.{" "}
        <Button size="small" busy={isBusy && undo === null && "Reading the file…"} onClick={() => void open()}>
          Put it back…
        </Button>
      </p>
      {undo !== null && (
        <Dialog
          open={true}
          onClose={() => setUndo(null)}
          title="Put the file back"
          actions={
            <>
              <Button onClick={() => setUndo(null)}>{undo.kind === "ready" ? "Cancel" : "Close"}</Button>
              {undo.kind === "ready" && (
                <Button tone="yes" busy={isBusy && "Putting it back…"} onClick={() => void putBack()}>
                  Put it back
                </Button>
              )}
            </>
          }
        >
          <UndoShown undo={undo} />
        </Dialog>
      )}
    </>
  )
}

/** What would be sent, or why nothing is. */
export function UndoShown({ undo }: { readonly undo: UndoView }): ReactNode {
  switch (undo.kind) {
    case "unavailable":
      return (
        <p>
          <Sentence text={undo.why} />
        </p>
      )
    case "changed":
      return (
        <>
          <p>
            The file has changed since this call, so it is not put back: that would undo more than the call did. This is
            what the call wrote, against what the file holds now.
          </p>
          <FileDiff
            path={undo.path}
            before={undo.written}
            after={undo.now}
            label="The file as the call left it, and now"
          />
        </>
      )
    case "ready":
      return (
        <>
          <p>
            {showText(toolName(undo.tool))} is called with the content that was read at {exactTime(undo.readAt)}, as a
            new call that is recorded in your name. This is what changes.
          </p>
          <FileDiff
            path={undo.path}
            before={undo.now}
            after={undo.before}
            label="The file now, and as it is put back"
          />
        </>
      )
  }
}

type FileDiffProps = {
  readonly path: string
  readonly before: string
  readonly after: string
  readonly label: string
}

function FileDiff({ path, before, after, label }: FileDiffProps): ReactNode {
  const [isRevealed, setRevealed] = useState(false)
  const isSecret = looksSecret("", before) || looksSecret("", after)
  return (
    <>
      <p>
        <LongText text={path} name="path" />
      </p>
      {isSecret && !isRevealed ? (
        <p>
          The file seems to hold a secret.{" "}
          <Masked name="the file" length={before.length + after.length} onReveal={() => setRevealed(true)} />
        </p>
      ) : (
        <DiffView before={before} after={after} label={label} />
      )}
    </>
  )
}
