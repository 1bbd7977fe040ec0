import { type EpochMs, isOnlyPrincipal, type Session } from "../../call/call.ts"
import type { Mode } from "../../policy/rules/rule.ts"

/** The stored state of a session: its mode, the tools refused in it, and whether it has ended. */
export type SessionRecord = Session & {
  readonly mode: Mode
  readonly modeUntil: EpochMs | null
  readonly modeBy: string | null
  /** Denials before this time no longer count against a tool: a person lifted the refusal. Named by `toolKey`. */
  readonly lifted: ReadonlyArray<{ readonly tool: string; readonly at: EpochMs }>
  /** Tools denied too often in it, named by `toolKey`: refused until a person lifts that. */
  readonly refused: readonly string[]
  /** When the record was made, or made anew after the session had ended; absent: before this was kept. */
  readonly since?: EpochMs
  readonly endedAt: EpochMs | null
}

export function newSessionRecord({ principal, id, named }: Session): SessionRecord {
  return {
    principal,
    id,
    named,
    mode: "ask",
    modeUntil: null,
    modeBy: null,
    lifted: [],
    refused: [],
    endedAt: null,
  }
}

/** Whether decisions can depend on what is remembered of a session; most sessions have only been counted. */
export function bearsOnDecisions(session: SessionRecord): boolean {
  if (session.endedAt !== null) return false
  return session.mode !== "ask" || session.lifted.length > 0 || session.refused.length > 0
}

/** What an end forgets of a session: whatever decisions rest on, or only what allows. */
export type Forgotten = "everything" | "allowed"

/**
 * The record of a session that ended. Where only what allows is forgotten, the tools refused in it and a mode in which nobody is asked stay, and as long
 * as they do, the session counts as one that goes on. The record of the agent itself also keeps what a person lifted.
 */
export function afterEnd(before: SessionRecord, forgets: Forgotten, at: EpochMs): SessionRecord {
  const forgotten: SessionRecord = { ...before, ...noMode, lifted: [], refused: [], endedAt: at }
  if (forgets === "everything" || !bearsOnDecisions(before)) return forgotten
  const { mode, modeUntil, lifted, refused } = before
  const isUnattended = mode === "unattended" && (modeUntil === null || modeUntil > at)
  const kept: SessionRecord = {
    ...before,
    ...(isUnattended ? {} : noMode),
    lifted: isOnlyPrincipal(before) ? lifted : [],
    refused,
    endedAt: null,
  }
  return bearsOnDecisions(kept) ? kept : forgotten
}

const noMode = { mode: "ask", modeUntil: null, modeBy: null } as const
