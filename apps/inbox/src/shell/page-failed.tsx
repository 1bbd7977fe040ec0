import { Button, Notice, Page } from "@byleave/ui"
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react"
import { useLine, useRetry } from "../data/live.tsx"
import { PageNotLoaded } from "./page-not-loaded.ts"

type PageFailedProps = { readonly error: unknown; readonly reset: () => void }

/** A page that could not be loaded or drawn. Nothing was decided by it. */
export function PageFailed({ error, reset }: PageFailedProps): ReactNode {
  const isLost = useLine()?.state === "lost"
  const isOffline = useSyncExternalStore(onConnection, () => !navigator.onLine)
  // The line may take a while to notice, and a stream that is open may outlive the network.
  const isAway = isLost || isOffline
  const isNotLoaded = error instanceof PageNotLoaded
  useReloadOnReturn(isNotLoaded, isAway)
  return isNotLoaded ? <NotLoaded isAway={isAway} /> : <NotDrawn reset={reset} />
}

function onConnection(listener: () => void): () => void {
  const kinds = ["online", "offline"] as const
  for (const kind of kinds) addEventListener(kind, listener)
  return () => {
    for (const kind of kinds) removeEventListener(kind, listener)
  }
}

/** Browsers keep a failed fetch of a program: only loading everything anew fetches it again, and only where there is somebody to answer. */
function useReloadOnReturn(isNotLoaded: boolean, isAway: boolean): void {
  const wasAway = useRef(isAway)
  useEffect(() => {
    if (isNotLoaded && wasAway.current && !isAway) location.reload()
    wasAway.current = isAway
  }, [isNotLoaded, isAway])
}

function NotLoaded({ isAway }: { readonly isAway: boolean }): ReactNode {
  const retry = useRetry()
  return (
    <Page title="This page is not here yet">
      <Notice
        tone="no"
        title="It could not be loaded"
        actions={<Button onClick={() => (isAway ? retry() : location.reload())}>Try again</Button>}
      >
        {isAway
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
