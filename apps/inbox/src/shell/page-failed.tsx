import { Button, Notice, Page } from "@byleave/ui"
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react"
import { useLiveConnection, useRetry } from "../data/live/live.tsx"
import { PageNotLoaded } from "./page-not-loaded.ts"

type PageFailedProps = { readonly error: unknown; readonly reset: () => void }

/** A page that could not be loaded or drawn. Nothing was decided by it. */
export function PageFailed({ error, reset }: PageFailedProps): ReactNode {
  const isLost = useLiveConnection()?.state === "lost"
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
    <Page title="Page not loaded">
      <Notice
        tone="no"
        title="This page could not be loaded"
        actions={<Button onClick={() => (isAway ? retry() : location.reload())}>Try again</Button>}
      >
        {isAway
          ? "Byleave is unreachable. The page loads as soon as Byleave is back; pages you opened earlier still show the last data received."
          : "Byleave may have been updated or restarted. Try again to reload; no decision was affected."}
      </Notice>
    </Page>
  )
}

function NotDrawn({ reset }: { readonly reset: () => void }): ReactNode {
  return (
    <Page title="Something went wrong">
      <Notice
        tone="no"
        title="This page could not be shown"
        actions={
          <>
            <Button onClick={reset}>Try again</Button>
            <Button onClick={() => location.reload()}>Reload</Button>
          </>
        }
      >
        No decision was affected. If Byleave was just updated, reloading should help.
      </Notice>
    </Page>
  )
}
