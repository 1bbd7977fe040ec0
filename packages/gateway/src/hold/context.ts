import type { CallerGate } from "@byleave/core"
import type { GatewayTimes } from "../gateway.ts"
import type { Sealer, TaskRecords } from "../wire/ports.ts"
import type { CurrentClient } from "./current-client.ts"
import type { SeeCallers } from "./see-callers.ts"
import type { TaskInputs } from "./task-inputs.ts"
import type { TaskStates } from "./task-states.ts"

/** The state shared by everything that may have to wait. */
export type HoldContext = {
  readonly gate: CallerGate
  readonly sealer: Sealer
  readonly tasks: TaskRecords
  readonly times: GatewayTimes
  readonly now: () => number
  readonly inbox: () => string
  readonly decideInClient: boolean
  /** The policy's treatment of params that MCP does not know. */
  readonly unknownParams: () => "refuse" | "drop"
  /** Whether a rule hides, denies or asks about resources of this server, or nobody here knows. */
  readonly rulesResources: (server: string) => boolean
  readonly log: (line: string) => void
  readonly seen: SeeCallers
  /** The runs of this process whose callers may come and go, by approval. */
  readonly audiences: Map<string, CurrentClient>
  /** Approvals whose clients withdrew them, as long as they may still be sent here. */
  readonly withdrawn: Set<string>
  readonly inputs: TaskInputs
  readonly taskStates: TaskStates
  /** Approvals of tasks somebody in this process waits on. */
  readonly attended: Set<string>
}

export const defaultTimes: GatewayTimes = {
  legMs: 50_000,
  legs: 8,
  budgetMs: 50_000,
  keepAliveMs: 15_000,
  parkedMs: 10 * 60_000,
  ownConnectionMs: 3 * 60_000,
  idleConversationMs: 60 * 60_000,
  sharedConnectionMs: 24 * 60 * 60_000,
}
