import type { StoryView } from "@byleave/api"
import { showText } from "@byleave/core"
import { Empty, Page, Sheet } from "@byleave/ui"
import { Link, useParams } from "@tanstack/react-router"
import { Ghost } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useRead } from "../../data/use-read.ts"
import { Reading } from "../places/reading.tsx"
import { callTitle } from "./call-words.ts"
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
      {story.state === "problem" && story.problem.code === "not-found" ? (
        <UnknownCall />
      ) : (
        <Reading of={story} label="Loading call" lines={6}>
          {(value) => <StoryBody story={value} />}
        </Reading>
      )}
    </Page>
  )
}

function UnknownCall(): ReactNode {
  return (
    <Sheet label="Unknown call">
      <Empty icon={<Ghost />} title="Call not found">
        <p>The link is wrong, or the call is older than what is kept.</p>
        <Link to="/activity">Show all calls</Link>
      </Empty>
    </Sheet>
  )
}

function isOpen({ call }: StoryView): boolean {
  return call.outcome === "waiting" || call.outcome === "running"
}

function titleOf(story: StoryView | null): string {
  return story === null ? "Call" : showText(callTitle(story.call))
}
