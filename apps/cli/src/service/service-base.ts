import { dirname } from "node:path"
import type { BodyBudget, JudgingTurns, UnreadBudget } from "@byleave/core"
import type { ConfigProblem } from "@byleave/formats"
import type { ConfigText } from "@byleave/server"
import type { Io } from "../io.ts"
import type { LiveRedactor } from "./config/live-redactor.ts"
import type { InForce } from "./config/plan-change.ts"
import type { Listening, ListenOptions } from "./http/listen.ts"
import type { OpenedStore } from "./open-store.ts"
import type { Log, LogOptions } from "./process/log.ts"

export type ServiceOptions = Omit<ListenOptions, "handle" | "connections" | "attachFastPath" | "upgrades"> & {
  readonly data: string
  /** The configuration. */
  readonly file: string
  readonly store: string
  readonly behindProxy: boolean
  /** Whether a wrap started it. */
  readonly background: boolean
  /** Whether its page tells of the demo agent. */
  readonly isDemo: boolean
  /** Whether usual requests of this machine are read without node:http. */
  readonly fastPath: boolean
  readonly io: Pick<Io, "env" | "home" | "platform" | "now" | "realPaths">
  readonly log: Pick<LogOptions, "format" | "level" | "write">
  /** A configuration that cannot be used, or has oddities. */
  readonly onProblems: (error: string, problems: readonly ConfigProblem[]) => void
}

/** The parts of a running service share this. */
export type ServiceBase = Omit<ServiceOptions, "log"> & {
  readonly log: Log
  readonly redactor: LiveRedactor
  readonly opened: OpenedStore
  /** The configuration in force, and the address we listen on; both change. */
  readonly live: {
    inForce: InForce
    address: Pick<Listening, "url" | "host" | "port">
    /** As of the keeper of the configuration, once there is one. */
    followPolicy: () => Promise<void>
  }
  /** Once the configuration is kept. */
  readonly configText: Promise<ConfigText>
  /** Counts the bodies that agents and programs have open. */
  readonly bodies: BodyBudget
  /** Counts what was answered to anybody and is not read. */
  readonly unread: UnreadBudget
  /** In which calls of agents are judged that take long. */
  readonly judging: JudgingTurns
  readonly onTrouble: (trouble: unknown) => void
  readonly atEnd: (step: EndStep) => void
}

/** To do at the end; the step added last comes first. */
export type EndStep = () => Promise<unknown> | unknown

/** Servers are started in these. */
export function surroundingsOf({ io, file }: Pick<ServiceOptions, "io" | "file">) {
  return { env: io.env, platform: io.platform, folder: dirname(file) }
}
