import type { RunSummaryView } from "@byleave/api"

type ThreadState = { readonly words: string; readonly tone: "wait" | "know" | "no" }

/** The state of a thread as lists say it besides its age; null: nothing is going on in it. */
export function threadState(run: RunSummaryView): ThreadState | null {
  if (run.status === "paused") return { words: "Needs approval", tone: "wait" }
  if (run.status === "running") return { words: "Replying…", tone: "know" }
  if (run.status === "failed" && run.stoppedBy === null) return { words: "Failed", tone: "no" }
  return null
}
