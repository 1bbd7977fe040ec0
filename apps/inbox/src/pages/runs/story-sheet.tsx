import type { RunView } from "@byleave/api"
import { type ApprovalsByCall, type LiveLeg, RunStory, Sheet, storyTurns } from "@byleave/ui"
import { useRouter } from "@tanstack/react-router"
import { type ReactNode, useMemo } from "react"
import { useRunStory } from "../../data/use-run-story.ts"
import { useToolNames } from "../../data/use-tool-names.ts"
import { Reading } from "../places/reading.tsx"
import { MessageForm } from "./message-form.tsx"
import look from "./story-sheet.module.css"

type StorySheetProps = {
  readonly run: RunView
  /** The leg under way. */
  readonly live: LiveLeg | null
  readonly approvals: ApprovalsByCall
}

/** The story of a run with the leg under way, and a box to send a message to a run that is over. */
export function StorySheet({ run, live, approvals }: StorySheetProps): ReactNode {
  const story = useRunStory(run.id, run.status === "running")
  const router = useRouter()
  const toolNames = useToolNames(run.servers)
  const turns = useMemo(() => (story.state === "ready" ? storyTurns(story.value, live) : []), [story, live])
  const canSend = run.status === "finished" || run.status === "failed"
  return (
    <Sheet title="What was said and done">
      <Reading of={story} label="Loading what was said and done" lines={5}>
        {() => (
          <RunStory
            run={run}
            turns={turns}
            approvals={approvals}
            toolNames={toolNames}
            onFollow={(href) => void router.navigate({ href })}
          />
        )}
      </Reading>
      {live?.attempt != null && (
        <p className={look.retry} role="status">
          The model did not answer. Trying again ({live.attempt}).
        </p>
      )}
      {canSend && <MessageForm run={run} />}
    </Sheet>
  )
}
