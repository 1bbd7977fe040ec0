import type { RunningRun, RunProgress, TokenUsage } from "@byleave/core"

export type Meter = {
  readonly count: (usage: ModelUsage | undefined) => void
  readonly progress: (bytes: number) => RunProgress
}
type ModelUsage = {
  readonly inputTokens: { readonly total: number | undefined }
  readonly outputTokens: { readonly total: number | undefined }
}

/** Adds up what a leg uses to what the run had used before. */
export function createMeter(run: RunningRun): Meter {
  let steps = run.steps
  let usage: TokenUsage = run.usage
  return {
    count: (more) => {
      steps += 1
      const input = usage.input + (more?.inputTokens.total ?? 0)
      const output = usage.output + (more?.outputTokens.total ?? 0)
      usage = { input, output, total: input + output }
    },
    progress: (bytes) => ({ steps, usage, bytes }),
  }
}
