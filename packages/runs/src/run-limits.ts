import type { RunHeldLimits } from "@byleave/core"

/** How much agent runs may take; apart from what agents may. */
export type RunLimits = {
  /** Runs of one starter that are not over, and of all. */
  readonly openPerStarter: number
  readonly openInAll: number
  /** Bytes of one run's journal and settings, values counted beside their text, and of those of one starter's runs that are not over. */
  readonly bytes: number
  readonly openBytesPerStarter: number
  /** Calls that wait for approval, and bytes of their arguments: of one run, and of one starter's paused runs. */
  readonly waiting: RunHeldLimits
  /** Steps of one leg, unless the starter of the run asks for fewer. */
  readonly steps: number
  /** Legs that one process carries out at the same time; more wait their turn. */
  readonly legs: number
  /** Bytes of one starter's runs whose legs are carried out at the same time; one alone may have more. */
  readonly legBytesPerStarter: number
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
  legBytesPerStarter: 64 * mebibyte,
}

/** How long a model may take. The time that tools take is not counted. */
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

/** How much one answer of a model may be, whatever its server sends. */
export type ModelLimits = {
  /** Bytes as the model's server sends them. A word of an answer is sent as some hundred bytes. */
  readonly wireBytes: number
  /** Bytes of one event among them. */
  readonly eventBytes: number
  /** JSON objects of one event: packages of providers take long for very many calls at once. */
  readonly eventObjects: number
  /** Bytes that are read of an error. */
  readonly errorBytes: number
  /** Bytes of what the answer says: text, arguments, files. */
  readonly answerBytes: number
  /** Tool calls that are taken; the model is told that the others did not run. */
  readonly calls: number
  /** Tool calls after which an answer is not read on. */
  readonly callsRead: number
}

export const defaultModelLimits: ModelLimits = {
  wireBytes: 64 * 1024 * 1024,
  eventBytes: 4 * 1024 * 1024,
  eventObjects: 2_000,
  errorBytes: 1024 * 1024,
  answerBytes: 10 * 1024 * 1024,
  calls: 128,
  callsRead: 4_096,
}

/** A limit in words. */
export function showBytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.floor(bytes / 1024)} kB` : `${Math.floor(bytes / 1024 / 1024)} MB`
}
