import { Button } from "@byleave/ui"
import { type ReactNode, useEffect, useRef } from "react"
import look from "./call-list.module.css"
import { useInView } from "./use-in-view.ts"

type MoreBelowProps = { readonly what: string; readonly isReading: boolean; readonly onMore: () => void }

/** The end of what was read so far: coming near it reads on, and so does the button. */
export function MoreBelow({ what, isReading, onMore }: MoreBelowProps): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const isNear = useInView(place, "400px")
  const more = useRef(onMore)
  more.current = onMore
  useEffect(() => {
    if (isNear && !isReading) more.current()
  }, [isNear, isReading])
  return (
    <div ref={place} className={look.more}>
      <Button size="small" tone="quiet" busy={isReading ? `Loading ${what}` : false} onClick={onMore}>
        {`Show ${what}`}
      </Button>
    </div>
  )
}
