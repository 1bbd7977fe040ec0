import {
  defaultModelLimits,
  defaultModelTimeouts,
  defaultRunLimits,
  type ModelLimits,
  type ModelTimeouts,
  type RunLimits,
} from "./run-limits.ts"
import type { RunsOptions } from "./runs.ts"

/** The options of runs, with a default for each that was left out and can have one. */
export type RunsSettings = Omit<RunsOptions, "ungated"> & {
  readonly limits: RunLimits
  readonly timeouts: ModelTimeouts
  readonly modelLimits: ModelLimits
  readonly ungated: ReadonlyMap<string, NonNullable<RunsOptions["ungated"]>[string]>
  readonly redactText: (text: string) => string
}

export function settingsOf(options: RunsOptions): RunsSettings {
  return {
    ...options,
    limits: { ...defaultRunLimits, ...options.limits },
    timeouts: { ...defaultModelTimeouts, ...options.timeouts },
    modelLimits: { ...defaultModelLimits, ...options.modelLimits },
    ungated: new Map(Object.entries(options.ungated ?? {})),
    redactText: options.redactText ?? ((text) => text),
  }
}
