/**
 * The connections that programs have open: lines that stand, and answers that come line by line.
 *
 * I1. No credential has more of them open than it may; programs that share one leave room for each other (shared-room.ts).
 * I2. What one credential leaves unread takes up no more than its limit, plain answers included: what is read least is broken off. Nobody else's
 *     count for it.
 * I3. Those that were open when their credential was revoked end.
 * I4. No credential has more answers followed than it may, over whichever connections.
 */
import { type EpochMs, isFairShare, largeAnswer, type UnreadAnswer, type UnreadBudget } from "@byleave/core"
import type { RevokedToken } from "../credentials/revoked-tokens.ts"
import { createSharedRoom, type OneProgram, type SharedRoom } from "../guard/shared-room.ts"

export type ProgramConnection = OneProgram & {
  readonly since: EpochMs
  readonly kind: "line" | "stream"
  /** The bytes that were written and that nobody has read. */
  readonly unread: () => number
  readonly end: () => void
  /** Ends it at once: what is unread is lost. */
  readonly breakOff: () => void
}

export type ProgramConnections = {
  readonly mayOpen: (who: OneProgram, kind: ProgramConnection["kind"]) => boolean
  /** Counts it until it is closed. */
  readonly open: (connection: ProgramConnection) => void
  readonly close: (connection: ProgramConnection) => void
  /** Whether a line of this name is open for the credential. */
  readonly stands: (token: string, line: string) => boolean
  /** An answer is followed line by line, over a line or as a stream, until `endFollowing`. False: the credential follows as many as it may. */
  readonly beginFollowing: (who: OneProgram) => boolean
  readonly endFollowing: (who: OneProgram) => void
  /** Something was just written to it. */
  readonly wrote: (connection: ProgramConnection) => void
  readonly endRevoked: (revoked: RevokedToken) => void
}

/** `follow`: more than calls of one program wait by default. */
export const mostOpen = {
  line: 256,
  stream: 1_000,
  follow: 12_288,
} as const

/** Words for whoever has as many open as it may. */
export const tooManyOpen = {
  line: `This credential has ${mostOpen.line} connections open, which is as many as it may. Close some first.`,
  stream: `This credential has ${mostOpen.stream} requests open whose answers come line by line, which is as many as it may. Wait until some are over, or leave them.`,
  follow: `This credential has ${mostOpen.follow} requests open whose answers come as things happen, which is as many as it may. Wait until some are over, or leave them.`,
} as const satisfies Record<ProgramConnection["kind"] | "follow", string>

/** Connections with only a little unread are not counted; their number is bounded. */
export function createProgramConnections(unread: UnreadBudget): ProgramConnections {
  const counted = new Map<ProgramConnection, UnreadAnswer>()
  const byToken = new Map<string, Set<ProgramConnection>>()
  const followed = new Map<string, SharedRoom>()
  const ownOf = (token: string): readonly ProgramConnection[] => [...(byToken.get(token) ?? [])]
  const close = (connection: ProgramConnection): void => {
    const own = byToken.get(connection.token)
    if (own?.delete(connection) === true && own.size === 0) byToken.delete(connection.token)
    const answer = counted.get(connection)
    if (answer === undefined) return
    counted.delete(connection)
    unread.close(answer)
  }
  const count = (connection: ProgramConnection): void => {
    const answer: UnreadAnswer = {
      principal: connection.token,
      bytes: connection.unread,
      breakOff: () => {
        close(connection)
        connection.breakOff()
      },
    }
    counted.set(connection, answer)
    unread.open(answer)
  }
  return {
    mayOpen: ({ token, program }, kind) => {
      const open = ownOf(token).filter((each) => each.kind === kind)
      if (kind === "line") return open.length < mostOpen.line
      const own = open.filter((each) => each.program === program)
      return isFairShare(own.length + 1, open.length + 1, mostOpen.stream)
    },
    open: (connection) => {
      byToken.set(connection.token, (byToken.get(connection.token) ?? new Set()).add(connection))
    },
    close,
    stands: (token, line) => ownOf(token).some(({ kind, program }) => kind === "line" && program === line),
    beginFollowing: ({ token, program }) => {
      const room = followed.get(token) ?? createSharedRoom({ pieces: mostOpen.follow, bytes: 0 })
      if (!room.mayEnter(program, 0)) return false
      room.enter(program, 0)
      followed.set(token, room)
      return true
    },
    endFollowing: ({ token, program }) => {
      const room = followed.get(token)
      room?.leave(program, 0)
      if (room?.isEmpty() === true) followed.delete(token)
    },
    wrote: (connection) => {
      if (connection.unread() <= largeAnswer) return
      if (!counted.has(connection)) count(connection)
      unread.makeRoom(connection.token, 0, "any")
    },
    endRevoked: ({ token, until }) => {
      for (const connection of ownOf(token)) if (connection.since < until) connection.end()
    },
  }
}
