import type { ApprovalView, UndoView } from "@byleave/api"
import { fileChanges, shownPointers } from "@byleave/api/page"
import { looksSecret, shownName, toolName } from "@byleave/core"
import { type ReactNode, useMemo, useState } from "react"
import { Button } from "../../parts/button.tsx"
import { Dialog } from "../../parts/dialog.tsx"
import { Values } from "../../verdict/rest-of-call.tsx"
import type { CardActions, ReadyUndo } from "../../verdict/verdict.ts"
import { exactTime } from "../../words/time-words.ts"
import { type ArgNode, argTree, restOf } from "../arguments/arg-tree.ts"
import { type Secrets, useSecrets } from "../arguments/secrets.ts"
import { LongText, Masked, Sentence } from "../arguments/shown-value.tsx"
import look from "../outcome/outcome.module.css"
import { DiffView } from "./diff-view.tsx"

type PutBackProps = { readonly approval: ApprovalView; readonly actions: Pick<CardActions, "loadUndo" | "onPutBack"> }

/**
 * The file and the text that an undo writes, by the arguments that are signed and sent; null where they are not those that the service names
 * beside them, or where they do something else.
 */
function writeOf({ tool, args, path, before }: ReadyUndo, approval: ApprovalView) {
  const isSameTool = tool.server === approval.tool.server && tool.tool === approval.tool.tool
  const schema = isSameTool ? (approval.definition?.inputSchema ?? null) : null
  const changes = fileChanges(tool.tool, args, schema)
  const [change, ...others] = changes
  if (change?.how !== "write" || others.length > 0) return null
  const text = change.edits[0]?.after
  return change.path === path && text === before ? { path, text, shown: shownPointers(changes) } : null
}

/** Of a call that changed a file whose former content is kept: the way back. */
export function PutBack({ approval, actions }: PutBackProps): ReactNode {
  const [undo, setUndo] = useState<UndoView | null>(null)
  const [isBusy, setBusy] = useState(false)
  const isSendable = undo?.kind === "ready" && writeOf(undo, approval) !== null
  const masks = useUndoMasks(undo, approval)
  if (approval.status !== "succeeded" || approval.readBefore === undefined) return null
  const during = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    await work().finally(() => setBusy(false))
  }
  const open = () => during(async () => setUndo(await actions.loadUndo(approval)))
  const putBack = () =>
    during(async () => {
      if (undo?.kind === "ready" && isSendable && !masks.isUnseen) await actions.onPutBack(approval, undo)
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
              <Button onClick={() => setUndo(null)}>{isSendable ? "Cancel" : "Close"}</Button>
              {isSendable && (
                <Button
                  tone="yes"
                  busy={isBusy && "Putting it back…"}
                  disabled={masks.isUnseen}
                  onClick={() => void putBack()}
                >
                  Put it back
                </Button>
              )}
            </>
          }
        >
          <UndoShown undo={undo} approval={approval} masks={masks} />
        </Dialog>
      )}
    </>
  )
}

type UndoMasks = {
  readonly isFileShown: boolean
  readonly onShowFile: () => void
  /** Of everything that is sent beside it. */
  readonly rest: readonly ArgNode[]
  readonly secrets: Secrets
  /** Something that would be sent is hidden: nothing is sent before it was revealed. */
  readonly isUnseen: boolean
}

/** Values of an undo that look like secrets, and whether somebody has revealed them. */
export function useUndoMasks(undo: UndoView | null, approval: ApprovalView): UndoMasks {
  const [revealed, setRevealed] = useState<UndoView | null>(null)
  const rest = useMemo(() => {
    const write = undo?.kind === "ready" ? writeOf(undo, approval) : null
    return undo?.kind === "ready" && write !== null ? restOf(argTree(undo.args, []), write.shown) : []
  }, [undo, approval])
  const secrets = useSecrets(rest)
  const texts =
    undo?.kind === "ready" ? [undo.now, undo.before] : undo?.kind === "changed" ? [undo.written, undo.now] : []
  const isFileShown = revealed === undo || !texts.some((text) => looksSecret("", text))
  return {
    isFileShown,
    onShowFile: () => setRevealed(undo),
    rest,
    secrets,
    isUnseen: !isFileShown || secrets.hidden.size > 0,
  }
}

type UndoShownProps = { readonly undo: UndoView; readonly approval: ApprovalView; readonly masks: UndoMasks }

/** The call that would be sent, or why none is. */
export function UndoShown({ undo, approval, masks }: UndoShownProps): ReactNode {
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
            masks={masks}
          />
        </>
      )
    case "ready":
      return <ReadyShown undo={undo} approval={approval} masks={masks} />
  }
}

function ReadyShown({ undo, approval, masks }: UndoShownProps & { readonly undo: ReadyUndo }): ReactNode {
  const write = writeOf(undo, approval)
  if (write === null) {
    return (
      <p>What would be sent is not the file and the text that the service names, so nothing can be put back here.</p>
    )
  }
  return (
    <>
      <p>
        {shownName(toolName(undo.tool))} is called with the content that was read at {exactTime(undo.readAt)}, as a new
        call that is recorded in your name. This is what changes.
      </p>
      <FileDiff
        path={write.path}
        before={undo.now}
        after={write.text}
        label="The file now, and as it is put back"
        masks={masks}
      />
      {masks.rest.length > 0 && <p>It is also sent:</p>}
      <Values nodes={masks.rest} within={undo.args} secrets={masks.secrets} />
      {masks.isUnseen && <p role="status">Reveal what is hidden before you put it back.</p>}
    </>
  )
}

type FileDiffProps = {
  readonly path: string
  readonly before: string
  readonly after: string
  readonly label: string
  readonly masks: UndoMasks
}

function FileDiff({ path, before, after, label, masks }: FileDiffProps): ReactNode {
  return (
    <>
      <p>
        <LongText text={path} name="path" />
      </p>
      {!masks.isFileShown ? (
        <p>
          The file seems to hold a secret.{" "}
          <Masked name="the file" length={before.length + after.length} onReveal={masks.onShowFile} />
        </p>
      ) : (
        <DiffView before={before} after={after} label={label} />
      )}
    </>
  )
}
