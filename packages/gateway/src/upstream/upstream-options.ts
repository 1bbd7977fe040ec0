import { createSourcePace, type SourcePace } from "./source-pace.ts"
import type { TurnLimits } from "./take-turns.ts"

/** An upstream's needs from its composition. It reads no clock, environment or configuration by itself. */
export type UpstreamOptions = {
  readonly now: () => number
  readonly newId: () => string
  /** Where a command is looked for when the server's own environment has no PATH. */
  readonly searchPath?: string
  /** One line for the log; control characters in it are escaped already. */
  readonly log?: (line: string) => void
  /** Takes secrets out of what a child says. */
  readonly redact?: (text: string) => string
  readonly times?: Partial<UpstreamTimes>
  /** How many requests run at once, and how they are shared among agents. */
  readonly turns?: TurnLimits
  /** The largest message taken from a server; 16 MiB. */
  readonly maxMessageBytes?: number
  /** False: node:http sends every request, also the usual ones to this machine. */
  readonly fastPath?: boolean
}

export type UpstreamTimes = {
  /** How long a server may take to answer the question which era it speaks; 5 s. */
  readonly probeMs: number
  /** How long `initialize` may take: a command may download its server first; 60 s. */
  readonly helloMs: number
  /** How long a TCP or TLS connection may take; 10 s. */
  readonly connectMs: number
  /** The era found for a server is checked again after this; 1 h. */
  readonly eraMs: number
  /** The first wait after a failure, which doubles up to the longest; 0.5 s and 30 s. */
  readonly backOffMs: number
  readonly longestBackOffMs: number
  /** A server that lived this long before it failed begins with the first wait again; 10 s. */
  readonly steadyMs: number
  /** How long a server has to acknowledge what it is to tell of before a change of that takes its place; doubles up to the longest wait; 1 s. */
  readonly acknowledgeMs: number
  /** The same list change is passed on at most once in this time; 0.2 s. */
  readonly coalesceMs: number
  /** From the end of a child's input to SIGTERM, and to SIGKILL; 2 s and 5 s. */
  readonly terminateMs: number
  readonly killMs: number
}

const defaultTimes: UpstreamTimes = {
  probeMs: 5_000,
  helloMs: 60_000,
  connectMs: 10_000,
  eraMs: 3_600_000,
  backOffMs: 500,
  longestBackOffMs: 30_000,
  steadyMs: 10_000,
  acknowledgeMs: 1_000,
  coalesceMs: 200,
  terminateMs: 2_000,
  killMs: 5_000,
}

/** The options with every default filled in, and whose they are. */
export type Setting = {
  readonly id: string
  readonly now: () => number
  readonly newId: () => string
  readonly searchPath: string
  readonly log: (line: string) => void
  readonly redact: (text: string) => string
  readonly times: UpstreamTimes
  readonly maxMessageBytes: number
  readonly fastPath: boolean
  /** Of everything that this server sends. */
  readonly pace: SourcePace
}

export function settingOf(id: string, options: UpstreamOptions): Setting {
  return {
    id,
    now: options.now,
    newId: options.newId,
    searchPath: options.searchPath ?? "",
    log: options.log ?? (() => {}),
    redact: options.redact ?? ((text) => text),
    times: { ...defaultTimes, ...options.times },
    maxMessageBytes: options.maxMessageBytes ?? 16 * 1024 * 1024,
    fastPath: options.fastPath ?? true,
    pace: createSourcePace(),
  }
}
