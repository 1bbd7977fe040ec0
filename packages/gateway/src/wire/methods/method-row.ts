import type { TargetKind } from "@byleave/core"
import type { ParamShapes } from "./params.ts"

export type MessageSender = "client" | "server"

/**
 * `here`: the gateway answers or uses it itself. `judged`: policy and the gate decide, and what is decided is recorded; a notification goes, unrecorded, to those who
 * subscribed to what it names and may know of it. `listed`: it goes on, and what policy hides is taken out of the answer. `relayed`: it goes on as it is. `dropped`: it
 * goes no further, and nobody needs it.
 */
export type Handling = "here" | "judged" | "listed" | "relayed" | "dropped"

export type MethodRow = {
  readonly method: string
  readonly from: MessageSender
  readonly form: "request" | "notification"
  readonly handling: Handling
  /** The first and the last revision that has it. */
  readonly revisions: readonly [first: string, last: string]
  /** The kind of target in policy; several where it depends on what is named. */
  readonly judgedAs?: readonly TargetKind[]
  /** The params that may reach the other side, besides `_meta`. Absent: sent on whole, or never sent on. */
  readonly params?: ParamShapes
}

export const all = ["2024-11-05", "2026-07-28"] as const
export const legacy = ["2024-11-05", "2025-11-25"] as const
export const modern = ["2026-07-28", "2026-07-28"] as const
export const newestLegacyOnly = ["2025-11-25", "2025-11-25"] as const
