import type { StoryView } from "@byleave/api"
import { showText } from "@byleave/core"
import { Page } from "@byleave/ui"
import { useParams } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useRead } from "../../data/use-read.ts"
import { Reading } from "../places/reading.tsx"
import { toolText } from "./call-list.tsx"
import { StoryBody } from "./story-body.tsx"

/** Calls that nobody was asked about make no event when they end. */
const everyMs = 3_000

/** A call's whole story on one page. */
export function StoryPage(): ReactNode {
  const { id = "" } = useParams({ strict: false }) as { readonly id?: string }
  const [isOver, setOver] = useState(false)
  const story = useRead("getCall", { params: { id } }, isOver ? {} : { everyMs })
  const isOverNow = story.state === "ready" && !isOpen(story.value)
  if (isOverNow !== isOver) setOver(isOverNow)
  return (
    <Page
      title={titleOf(story.state === "ready" ? story.value : null)}
      lead="One call, from the agent's request to its outcome."
    >
      <Reading of={story} label="Loading call" lines={6}>
        {(value) => <StoryBody story={value} />}
      </Reading>
    </Page>
  )
}

function isOpen({ call }: StoryView): boolean {
  return call.outcome === "waiting" || call.outcome === "running"
}

function titleOf(story: StoryView | null): string {
  return story === null ? "Call" : showText(toolText(story.call))
}
