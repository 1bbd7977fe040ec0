import type { RunView } from "@byleave/api"
import { applyRunEvent, RunMark, RunStory, storyTurns } from "@byleave/ui"
import type { ReactNode } from "react"
import { requirement, runView, storyItems } from "../../../../packages/ui/src/run/fixtures/runs.ts"
import { Cancelled, Failed } from "../../src/pages/runs/run-notice.tsx"
import { NoRuns } from "../../src/pages/runs/runs-page.tsx"
import { listedCall, minute, now } from "../calls.ts"
import { nothing } from "../card-of.tsx"
import type { Example, ExampleGroup } from "../example.ts"

const run = (changes: object = {}): RunView => runView(now, { ...changes })
const paused = run({ status: "paused", pausedAt: now - minute, waitsFor: 1, requirements: [requirement] })
const failure = { status: "failed", endedAt: now - minute, retryable: true }
const overloaded = "The provider is overloaded or failing (529). Continue the run to try again. It said: “overloaded”"
const failed = run({ ...failure, detail: overloaded }) as Extract<RunView, { status: "failed" }>
const cancel = { status: "cancelled", endedAt: now - minute, by: "ada", detail: "", wasExported: false }
const cancelled = run(cancel) as Extract<RunView, { status: "cancelled" }>

const states = [paused, run(), run({ status: "finished", endedAt: now }), failed, cancelled].concat({
  ...cancelled,
  wasExported: true,
})

const live = [
  { type: "step-started" },
  { type: "text", id: "0", delta: "The plan is written. Now I look whether anything is le" },
] as const
const leg = live.reduce<ReturnType<typeof applyRunEvent> | null>(
  (before, part) => applyRunEvent(before, { type: "part", leg: 2, part }),
  null,
)

const approvals = new Map([
  ["c2", listedCall("a1")],
  [
    "c3",
    listedCall("a2", {
      status: "denied",
      settledAt: now - 2 * minute,
      by: "ada",
      refusal: { by: "reviewer", code: "denied-by-reviewer", reason: "Keep my notes." },
    }),
  ],
])
const toolNames = new Map([["files__list_directory", "files(list_directory)"]])

function Story({ of, isLive = false }: { readonly of: RunView; readonly isLive?: boolean }): ReactNode {
  const turns = storyTurns(storyItems(now), isLive ? leg : null)
  return <RunStory run={of} turns={turns} approvals={approvals} toolNames={toolNames} onFollow={nothing} />
}

const example = (id: string, title: string, Draw: Example["Draw"]): Example => ({ id: `run-${id}`, title, Draw })

export const runs: ExampleGroup = {
  title: "Runs",
  examples: [
    example("states", "how it stands", () => (
      <p>
        {states.map((of) => (
          <span key={JSON.stringify(of)}>
            <RunMark run={of} />{" "}
          </span>
        ))}
      </p>
    )),
    example("story", "its story, with calls that wait and were denied", () => <Story of={paused} />),
    example("live", "its story while it goes on", () => <Story of={run()} isLive />),
    example("failed", "failed, and can be continued", () => <Failed run={failed} isBusy={false} onRetry={nothing} />),
    example("failed-for-good", "failed for good", () => (
      <Failed run={{ ...failed, retryable: false }} isBusy={false} onRetry={nothing} />
    )),
    example("cancelled", "cancelled", () => <Cancelled run={cancelled} />),
    example("exported", "exported", () => <Cancelled run={{ ...cancelled, wasExported: true }} />),
    example("none", "no runs yet", () => <NoRuns isNarrowed={false} onShowAll={nothing} />),
  ],
}
