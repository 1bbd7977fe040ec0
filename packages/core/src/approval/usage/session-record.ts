import type { EpochMs, Session } from "../../call/call.ts"
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
