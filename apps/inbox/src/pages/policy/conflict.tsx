import { Button, Notice, Sheet } from "@byleave/ui"
import type { ReactNode } from "react"
import look from "./conflict.module.css"
import { DiffView } from "./diff-view.tsx"
import type { Draft, DraftEvent, Saved } from "./draft.ts"

type ConflictProps = { readonly draft: Draft; readonly theirs: Saved; readonly tell: (event: DraftEvent) => void }

/** Somebody else saved while we were typing: both, and what can be done with them. Nothing of ours is lost either way. */
export function Conflict({ draft, theirs, tell }: ConflictProps): ReactNode {
  return (
    <Sheet title="Someone else saved this file meanwhile" label="Someone else saved this file meanwhile">
      <div className={look.conflict}>
        <Notice tone="wait">
          Your text is still here and was not saved. See both, then choose which one to go on from.
        </Notice>
        <div className={look.both}>
          <section>
            <h3>What they changed</h3>
            <DiffView label="What they changed" before={draft.base.text} after={theirs.text} />
          </section>
          <section>
            <h3>What you changed</h3>
            <DiffView label="What you changed" before={draft.base.text} after={draft.text} />
          </section>
        </div>
        <div className={look.actions}>
          <Button onClick={() => tell({ type: "took theirs" })}>Go on from theirs, keep mine beside it</Button>
          <Button onClick={() => tell({ type: "kept ours" })}>Go on with mine, in place of theirs</Button>
        </div>
        <p className={look.soft}>Either way nothing is saved until you have reviewed it once more.</p>
      </div>
    </Sheet>
  )
}

/** Our text that was put aside, to be copied from or taken back. */
export function AsideText({
  draft,
  aside,
  tell,
}: {
  readonly draft: Draft
  readonly aside: string
  readonly tell: (event: DraftEvent) => void
}): ReactNode {
  return (
    <Sheet
      title="Your text, put aside"
      actions={
        <>
          <Button size="small" onClick={() => tell({ type: "took back" })}>
            Swap it with the text above
          </Button>
          <Button size="small" tone="quiet" onClick={() => tell({ type: "dropped aside" })}>
            I no longer need it
          </Button>
        </>
      }
    >
      <div className={look.conflict}>
        <DiffView label="How your text differs from the one above" before={draft.text} after={aside} />
      </div>
    </Sheet>
  )
}
