import type { RunHeldLimits } from "@byleave/core"

/** How much agent runs may take; apart from what agents may. */
export type RunLimits = {
  /** Runs of one starter that are not over, and of all. */
  readonly openPerStarter: number
  readonly openInAll: number
  /** Bytes of one run's journal, and of those of one starter's runs that are not over. */
  readonly bytes: number
  readonly openBytesPerStarter: number
  /** Calls that wait for approval, and bytes of their arguments: of one run, and of one starter's paused runs. */
  readonly waiting: RunHeldLimits
  /** Steps of one leg, where whoever starts the run does not say fewer. */
  readonly steps: number
  /** Legs that one process carries out at the same time; more wait their turn. */
  readonly legs: number
}

const mebibyte = 1024 * 1024

export const defaultRunLimits: RunLimits = {
  openPerStarter: 10_000,
  openInAll: 50_000,
  bytes: 64 * mebibyte,
  openBytesPerStarter: 1024 * mebibyte,
  waiting: {
    perRun: { calls: 256, bytes: 16 * mebibyte },
    perStarter: { calls: 20_000, bytes: 256 * mebibyte },
  },
  steps: 50,
  legs: 16,
}

/** How long a model may take. What tools take is not counted. */
export type ModelTimeouts = {
  /** One answer, from the question to its end. */
  readonly answerMs: number
  /** The first piece of an answer, once the model's server has begun to answer. */
  readonly firstChunkMs: number
  /** Every further piece. */
  readonly chunkMs: number
}

export const defaultModelTimeouts: ModelTimeouts = {
  answerMs: 60 * 60_000,
  firstChunkMs: 10 * 60_000,
  chunkMs: 5 * 60_000,
}
