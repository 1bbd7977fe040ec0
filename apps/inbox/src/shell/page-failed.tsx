import { Button, Notice, Page } from "@byleave/ui"
import type { ReactNode } from "react"

/** A page that could not be loaded or drawn. Nothing was decided by it. */
export function PageFailed({ reset }: { readonly reset: () => void }): ReactNode {
  return (
    <Page title="This page failed">
      <Notice
        tone="no"
        title="It could not be shown"
        actions={
          <>
            <Button onClick={reset}>Try again</Button>
            <Button onClick={() => location.reload()}>Load everything anew</Button>
          </>
        }
      >
        Nothing was decided by this. If Byleave was updated meanwhile, loading everything anew helps.
      </Notice>
    </Page>
  )
}
