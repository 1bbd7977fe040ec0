import type { RunSummaryView } from "@byleave/api"
import type { Tone } from "../parts/mark.tsx"

/** How a run stands, as people see it: one that was exported ended here and continues elsewhere; one that a person stopped did not fail. */
export type RunState = RunSummaryView["status"] | "exported" | "stopped"

export function runStateOf(run: RunSummaryView): RunState {
  if (run.status === "failed" && run.stoppedBy !== null) return "stopped"
  return run.status === "cancelled" && run.wasExported ? "exported" : run.status
}

export const runStateWords = {
  running: { label: "Running", tone: "know" },
  paused: { label: "Paused: needs approval", tone: "wait" },
  finished: { label: "Finished", tone: "yes" },
  failed: { label: "Failed", tone: "no" },
  stopped: { label: "Stopped", tone: "plain" },
  cancelled: { label: "Cancelled", tone: "plain" },
  exported: { label: "Exported", tone: "plain" },
} as const satisfies Record<RunState, { readonly label: string; readonly tone: Tone }>

const counted = new Intl.NumberFormat("en")

/** `1 step`, `1,204 steps`. */
export function stepsInWords(steps: number): string {
  return steps === 1 ? "1 step" : `${counted.format(steps)} steps`
}

export function tokensInWords(tokens: number): string {
  return tokens === 1 ? "1 token" : `${counted.format(tokens)} tokens`
}

/** `12,340 tokens: 11,900 in, 440 out`; some models tell no more than a total. */
export function usageInWords({ input, output, total }: RunSummaryView["usage"]): string {
  if (input + output === 0) return tokensInWords(total)
  return `${tokensInWords(total)}: ${counted.format(input)} in, ${counted.format(output)} out`
}
