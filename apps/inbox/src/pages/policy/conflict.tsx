import { Button, DiffView, Notice, Sheet } from "@byleave/ui"
import type { ReactNode } from "react"
import look from "./conflict.module.css"
import type { DraftEvent, PolicyDraft, SavedPolicy } from "./draft.ts"

type ConflictProps = {
  readonly draft: PolicyDraft
  readonly theirs: SavedPolicy
  readonly tell: (event: DraftEvent) => void
}

/** Somebody else saved while we were typing: both, and what can be done with them. Nothing of ours is lost either way. */
export function Conflict({ draft, theirs, tell }: ConflictProps): ReactNode {
  return (
    <Sheet title="Someone else saved this file" label="Someone else saved this file">
      <div className={look.conflict}>
        <Notice tone="wait">
          Your text is still here but not saved. Compare both versions, then choose which one to continue with.
        </Notice>
        <div className={look.both}>
          <section>
            <h3>Their changes</h3>
            <DiffView label="Their changes" before={draft.base.text} after={theirs.text} />
          </section>
          <section>
            <h3>Your changes</h3>
            <DiffView label="Your changes" before={draft.base.text} after={draft.text} />
          </section>
        </div>
        <div className={look.actions}>
          <Button onClick={() => tell({ type: "took theirs" })}>Use theirs, keep mine aside</Button>
          <Button onClick={() => tell({ type: "kept ours" })}>Use mine, replace theirs</Button>
        </div>
        <p className="aside">Either way, nothing is saved until you review it again.</p>
      </div>
    </Sheet>
  )
}

type AsideTextProps = {
  readonly draft: PolicyDraft
  readonly aside: string
  readonly tell: (event: DraftEvent) => void
}

/** Our text that was put aside, to be copied from or taken back. */
export function AsideText({ draft, aside, tell }: AsideTextProps): ReactNode {
  return (
    <Sheet
      title={draft.isDiscarded ? "Discarded changes" : "Your text, set aside"}
      actions={
        <>
          <Button size="small" onClick={() => tell({ type: "took back" })}>
            Swap with the text above
          </Button>
          <Button size="small" tone="quiet" onClick={() => tell({ type: "dropped aside" })}>
            Discard it
          </Button>
        </>
      }
    >
      <div className={look.conflict}>
        <DiffView label="Differences from the text above" before={draft.text} after={aside} />
      </div>
    </Sheet>
  )
}
