import type { EpochMs } from "../../call/call.ts"
import type { AccessBreadth, Condition } from "./rule.ts"

/**
 * How far a remembered answer reaches. Tools are named literally except in a pattern; `reads` is the list
 * frozen when it was given, so a tool that appears later is not covered.
 */
export type Breadth =
  | { readonly kind: "tool"; readonly server: string; readonly tool: string; readonly when?: readonly Condition[] }
  | { readonly kind: "server"; readonly server: string; readonly access: AccessBreadth }
  | { readonly kind: "reads"; readonly server: string; readonly tools: readonly string[] }
  | { readonly kind: "pattern"; readonly server: string; readonly tool: string; readonly when?: readonly Condition[] }

/** The parts of a grant that policy needs to decide by it. */
export type Remembered = {
  readonly id: string
  readonly effect: "allow" | "deny"
  readonly breadth: Breadth
  /** The one session it serves; absent: every session. */
  readonly session?: { readonly principal: string; readonly id: string }
  /** The one agent it serves, in all its sessions; never together with `session`. Absent: every agent. */
  readonly agent?: string
  readonly until?: EpochMs
  readonly usesLeft?: number
}
