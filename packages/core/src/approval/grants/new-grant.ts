import { type EpochMs, isOnlyPrincipal, type Session } from "../../call/call.ts"
import type { Breadth } from "../../policy/rules/remembered.ts"
import type { Grant } from "./grant.ts"

/** The lifetime of a grant that replaces "for this session" where nothing but the principal identifies the session. */
export const unnamedSessionMs = 30 * 60_000

export type NewGrantInput = {
  readonly id: string
  readonly effect: Grant["effect"]
  readonly breadth: Breadth
  /** The one session it is for; absent: every session. A denial for one that is only its principal serves the agent. */
  readonly session?: Session | undefined
  /** The one agent it serves, in all its sessions. */
  readonly agent?: string | undefined
  /** Of `agent`, where that stands for agent runs: whose runs it serves. */
  readonly starter?: string | undefined
  readonly until?: EpochMs | undefined
  readonly uses?: number | undefined
  readonly reason?: string | undefined
  readonly from: string | null
  readonly by: string
  readonly at: EpochMs
}

/** A grant that could never be used. */
export type LapsedGrant = { readonly code: "grant-lapsed"; readonly detail: string }

/** A grant as it begins, or why it would be over before that. */
export function newGrant(input: NewGrantInput): Grant | LapsedGrant {
  const { uses, reason } = input
  const until = endOf(input)
  if (until !== undefined && !(until > input.at)) {
    return { code: "grant-lapsed", detail: "The expiry time is in the past. Choose a later one." }
  }
  if (uses !== undefined && !(Number.isSafeInteger(uses) && uses > 0)) {
    return { code: "grant-lapsed", detail: "The number of uses must be a whole number of at least 1." }
  }
  return {
    id: input.id,
    effect: input.effect,
    breadth: input.breadth,
    ...whoseOf(input),
    ...(until === undefined ? {} : { until }),
    ...(uses === undefined ? {} : { usesLeft: uses }),
    ...(reason === undefined ? {} : { reason }),
    createdAt: input.at,
    createdBy: input.by,
    from: input.from,
    lastUsedAt: null,
    timesUsed: 0,
  }
}

/** A denial for a session that is only its principal is one for the agent: the agent leaves that session by opening another. */
function whoseOf({ effect, session, agent, starter }: NewGrantInput): Pick<Grant, "session" | "agent" | "starter"> {
  if (session === undefined && agent !== undefined) return starter === undefined ? { agent } : { agent, starter }
  if (session === undefined) return {}
  const { principal, id } = session
  return effect === "deny" && isOnlyPrincipal(session) ? { agent: principal } : { session: { principal, id } }
}

/** Nothing ends a session that is only its principal, so a grant for it ends by time. */
function endOf({ session, until, at }: NewGrantInput): EpochMs | undefined {
  if (session === undefined || !isOnlyPrincipal(session)) return until
  return Math.min(until ?? Number.POSITIVE_INFINITY, at + unnamedSessionMs)
}
