import type { LanguageModelV4 } from "@ai-sdk/provider"
import type { RunGate, RunHeldLimits } from "@byleave/core"
import type { CallSettings, TextStreamPart, ToolChoice, ToolSet } from "ai"
import type { JournalRoom } from "../journal/journal.ts"
import type { ModelLimits, ModelTimeouts } from "../run-limits.ts"
import type { OfferedTool } from "../tools.ts"
import type { RunCallsPorts } from "./run-calls.ts"

/** Everything that can be told of a leg while it goes on. */
export type LegPart = TextStreamPart<ToolSet>

/** How the model is to answer. `toolChoice` is for the first answer of a leg only: required calls would never end. */
export type LegSettings = Pick<CallSettings, "temperature" | "topP" | "maxOutputTokens"> & {
  readonly toolChoice?: ToolChoice<ToolSet>
}

export type LegPorts = Pick<RunCallsPorts, "carryOut" | "changed" | "changes" | "askFirst" | "ungated"> & {
  readonly settings: LegSettings
  readonly gate: Pick<
    RunGate,
    "tryCall" | "takeUpCall" | "journal" | "journalLines" | "pauseRun" | "changeRun" | "openRuns"
  >
  readonly model: LanguageModelV4
  /** Tools of servers and gated functions of the host. */
  readonly tools: readonly OfferedTool[]
  /** Servers without tools in this leg: they do not answer, or cannot be reached. */
  readonly away: readonly string[]
  /** Functions that the starter of the run carries out. */
  readonly faceTools?: ToolSet
  /** How often a model server that fails is asked again within one step. */
  readonly maxRetries: number
  readonly timeouts: ModelTimeouts
  readonly modelLimits: ModelLimits
  /** The room in the run's journal. */
  readonly room: JournalRoom
  /** The limits on calls that may wait with the run. */
  readonly waiting: RunHeldLimits
  readonly now: () => number
  /** Told how to read the size of the run, once its journal has been read. */
  readonly onCounted: (bytes: () => number) => void
  readonly onPart: (part: LegPart) => void
  readonly onRetry: (attempt: number) => void
  /** Aborted when the run is no longer this leg's, or the service stops. */
  readonly signal: AbortSignal
  /** Whether the service stops: then calls that were sent to servers end first. */
  readonly isClosing: () => boolean
  readonly redactText: (text: string) => string
  readonly failureOf: (error: unknown) => { readonly retryable: boolean; readonly detail: string }
}

/** Names chosen by a model never index an object. */
export function isOfFace({ faceTools }: LegPorts, name: string): boolean {
  return faceTools !== undefined && Object.hasOwn(faceTools, name)
}
