import type { EpochMs, Session } from "../../call/call.ts"
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
  /** Of `agent`, where that is the principal of agent runs: the one starter whose runs it serves, by `starterName`. Absent: all runs. */
  readonly starter?: string
  readonly until?: EpochMs
  readonly usesLeft?: number
}

/** A call as far as it matters whose it is. `starter`: of the agent run whose call it is, by `starterName`. */
export type CallOf = { readonly session: Pick<Session, "principal" | "id">; readonly starter?: string | undefined }

/** How far an answer to a call reaches: its session, its agent, or everybody. */
export type AnswerScope = "session" | "agent" | "always"

/** Whose calls a remembered answer to this call serves. The agent of a run is its starter: what is given for it is for all runs of that starter. */
export function scopeOfAnswer<Of extends CallOf>(
  scope: AnswerScope,
  { session, starter }: Of,
): { readonly session?: Of["session"]; readonly agent?: string; readonly starter?: string } {
  if (scope === "session") return { session }
  if (scope === "always") return {}
  return { agent: session.principal, ...(starter === undefined ? {} : { starter }) }
}

/** Whether a remembered answer is about the calls of this session. */
export function serves(grant: Pick<Remembered, "effect" | "session" | "agent" | "starter">, call: CallOf): boolean {
  const { session, agent, starter } = scopeOf(grant)
  if (agent !== undefined && agent !== call.session.principal) return false
  if (starter !== undefined && starter !== call.starter) return false
  return session === undefined || (session.principal === call.session.principal && session.id === call.session.id)
}

/**
 * Whose calls a remembered answer serves. A denial for a session that is only its principal holds in all sessions of the agent, which opens
 * another whenever it likes; an allow for that session keeps to it.
 */
export function scopeOf(
  grant: Pick<Remembered, "effect" | "session" | "agent" | "starter">,
): Pick<Remembered, "session" | "agent" | "starter"> {
  const { effect, session } = grant
  if (effect === "allow" || session === undefined || session.id !== session.principal) return grant
  return { agent: session.principal }
}
