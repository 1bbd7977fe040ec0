import { Button, Notice, Page } from "@byleave/ui"
import { type ReactNode, useEffect, useRef } from "react"
import { useLine, useRetry } from "../data/live.tsx"
import { PageNotLoaded } from "./page-not-loaded.ts"

type PageFailedProps = { readonly error: unknown; readonly reset: () => void }

/** A page that could not be loaded or drawn. Nothing was decided by it. */
export function PageFailed({ error, reset }: PageFailedProps): ReactNode {
  const isLost = useLine()?.state === "lost"
  const isNotLoaded = error instanceof PageNotLoaded
  useReloadOnReturn(isNotLoaded, isLost)
  return isNotLoaded ? <NotLoaded isLost={isLost} /> : <NotDrawn reset={reset} />
}

/** Browsers keep a failed fetch of a program: only loading everything anew fetches it again, and only where there is somebody to answer. */
function useReloadOnReturn(isNotLoaded: boolean, isLost: boolean): void {
  const wasLost = useRef(isLost)
  useEffect(() => {
    if (isNotLoaded && wasLost.current && !isLost) location.reload()
    wasLost.current = isLost
  }, [isNotLoaded, isLost])
}

function NotLoaded({ isLost }: { readonly isLost: boolean }): ReactNode {
  const retry = useRetry()
  return (
    <Page title="This page is not here yet">
      <Notice
        tone="no"
        title="It could not be loaded"
        actions={<Button onClick={() => (isLost ? retry() : location.reload())}>Try again</Button>}
      >
        {isLost
          ? "Byleave cannot be reached. This page is loaded as soon as Byleave is back; pages you opened before still show what was read last."
          : "Byleave may have been updated or restarted meanwhile. Trying again loads everything anew; nothing was decided by this."}
      </Notice>
    </Page>
  )
}

function NotDrawn({ reset }: { readonly reset: () => void }): ReactNode {
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
