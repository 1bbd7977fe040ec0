/**
 * The gate's doors over one connection that stands: a call then costs a small write and a small read before it may run.
 *
 * A program sends lines of `<number> <path> <JSON>`. It hears `<number> . <JSON>` for each line of an answer that comes line by line, and
 * `<number> <status> <JSON>` at an answer's end. The credential is looked at for every line: one that was revoked opens nothing more. When
 * the connection ends, so does everything that was asked over it, as if each had been a connection of its own.
 *
 * I1. The credential is looked at for every line: one that was revoked opens nothing more.
 * I2. When the connection ends, everything asked over it has lost its caller. It ends when its credential is revoked.
 * I3. Requests begin in their credential's turns, as those of connections of their own do.
 * I4. A line that is not whole yet counts among the bodies its sender has open; one that is more than it may have ends the connection.
 * I5. A line that is whole counts among them until nothing of it is kept; one for which there is no room is refused, unless it ends a run.
 */
import { gatePaths } from "@byleave/api"
import { freeBodyBytes, splitLines } from "@byleave/core"
import { beginRequest } from "./begin-request.ts"
import { type GateAnswer, type GateListener, problem } from "./gate-answer.ts"
import type { GateIdentity, GateRouteContext } from "./gate-context.ts"
import { postRoutes } from "./gate-posts.ts"
import { type KeptBody, keepBody, keepNothing, withOwnTexts } from "./kept-body.ts"
import { type ProgramConnection, tooManyOpen } from "./program-connections.ts"
import type { PostRoute } from "./read-post.ts"

/** The connection, as the listener has it. */
export type LineConnection = {
  /** `isLate`: nobody waits for it, so that it may go with what is written next. */
  readonly write: (text: string, isLate: boolean) => void
  /** Does it once everything that arrived by now has been seen to. */
  readonly later: (work: () => void) => void
  readonly end: () => void
  /** The bytes that were written and that nobody has read. */
  readonly unread: () => number
  /** Ends it at once: what is unread is lost. */
  readonly breakOff: () => void
}

/** The handlers for bytes that arrive on the connection, and for its end. */
export type LineReader = { readonly take: (bytes: Uint8Array) => void; readonly gone: () => void }

/** Larger messages are sent as separate requests. */
const mostBytes = 1024 * 1024

const request = /^(\d{1,15}) (\/[^ ]{1,4000}) (.*)$/s
const namedPath = /^(\/api\/gate\/(?:runs|submissions|approvals)\/)([^/]+)(\/leave|\/may-still-run)?$/

type Knock = (path: string, text: string, isGone: () => boolean) => Promise<GateAnswer>

/** The credential that opened a connection, and its identity. */
export type LineOpener = { readonly authorization: string; readonly who: GateIdentity }

export function openGateLines(doors: GateRouteContext): (opener: LineOpener, connection: LineConnection) => LineReader {
  const posts = postRoutes(doors)
  return ({ authorization, who }, connection) => {
    const knock: Knock = async (path, text, isGone) => {
      const { door, ...named } = doorAt(posts, path)
      const request = { authorization, asker: who, text, isGone, ...named }
      return beginRequest(doors, request, (who, isWanted) => door(text, who, named.name, isWanted))
    }
    const write: LineConnection["write"] = (text, isLate) => {
      connection.write(text, isLate)
      doors.connections.wrote(standing)
    }
    const line = openLine(doors, knock, who, { ...connection, write })
    const gone = (): void => {
      doors.connections.close(standing)
      line.gone()
    }
    const standing: ProgramConnection = {
      ...{ token: who.token, program: who.program, kind: "line", since: doors.time(), unread: connection.unread },
      end: () => {
        connection.end()
        gone()
      },
      breakOff: () => {
        connection.breakOff()
        gone()
      },
    }
    doors.connections.open(standing)
    return { take: line.take, gone }
  }
}

function openLine(
  doors: GateRouteContext,
  knock: Knock,
  who: GateIdentity,
  { write, end, later }: LineConnection,
): LineReader {
  const unfinished = doors.bodies.share(who.token, who.program)
  const presence = createPresence()
  const beat = setInterval(() => write("\n", false), doors.keepAliveMs)
  const gone = (): void => {
    clearInterval(beat)
    presence.end()
    unfinished.release()
  }
  const begin = async (number: string, path: string, text: string, body: KeptBody): Promise<Begun> => {
    const answer = await knock(path, text, presence.isGone)
    if (!("follow" in answer)) return { answer }
    if (!doors.connections.beginFollowing(who)) return { answer: problem("too-busy", tooManyOpen.follow) }
    const say = (line: object): void => write(`${number} . ${JSON.stringify(line)}\n`, false)
    const followed = answer.follow({ ...presence, ...body, say })
    return { followed: followed.finally(() => doors.connections.endFollowing(who)) }
  }
  /** Apart from `begin`: an answer may be followed for days, and what was asked is not kept meanwhile. */
  const finish = async (number: string, isLate: boolean, begun: Promise<Begun>, body: KeptBody): Promise<void> => {
    const end = ({ status, value }: Plain, late: boolean): void =>
      write(`${number} ${status} ${JSON.stringify(value)}\n`, late)
    try {
      const { answer, followed } = await begun
      if (followed !== undefined) await followed
      if (answer === undefined) end({ status: 200, value: {} }, true)
      else end(answer, isLate)
    } catch (trouble) {
      doors.onTrouble?.(trouble)
      end(problem("failed"), false)
    } finally {
      body.release()
    }
  }
  const serve = (asked: string, path: string, text: string, bytes: number): void => {
    const isEnding = isSettling(path)
    // What ends a run is never refused.
    const body = isEnding ? keepNothing : keepBody(doors.bodies, who, bytes)
    const number = bytes > freeBodyBytes ? withOwnTexts(asked) : asked
    if (typeof body === "string") write(`${number} 429 ${JSON.stringify(problem("too-busy", body).value)}\n`, false)
    else void finish(number, isEnding, begin(number, path, text, body), body)
  }
  const mayKeep = (size: number): boolean => size <= mostBytes && unfinished.grow(size) === null
  const take = splitLines(mayKeep, (bytes) => {
    unfinished.release()
    if (presence.isGone()) return false
    const line = bytes === null ? null : decoded(bytes)
    if (line === "") return true
    const [, number, path, text] = request.exec(line ?? "") ?? []
    if (number === undefined || path === undefined || text === undefined) {
      // The rest of the input could no longer be split into messages.
      end()
      gone()
      return false
    }
    const size = bytes?.byteLength ?? 0
    if (isSettling(path)) later(() => serve(number, path, text, size))
    else serve(number, path, text, size)
    return true
  })
  return { take, gone }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Null: it is no UTF-8. */
function decoded(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

/** An answer that there is at once, or the end of one that is followed. */
type Begun = { readonly answer?: Plain; readonly followed?: Promise<void> }
type Plain = Extract<GateAnswer, { readonly status: number }>
type Presence = Pick<GateListener, "isGone" | "whenGone"> & { readonly end: () => void }

/** Whether the program at the other end is still connected. */
function createPresence(): Presence {
  const leaving = new Set<() => void>()
  let isGone = false
  return {
    isGone: () => isGone,
    whenGone: (then) => {
      // The same may wait for it twice.
      const leave = (): void => then()
      if (isGone) leave()
      else leaving.add(leave)
      return () => leaving.delete(leave)
    },
    end: () => {
      isGone = true
      for (const leave of leaving) leave()
      leaving.clear()
    },
  }
}

type NamedDoor = { readonly door: PostRoute; readonly path: string; readonly name: string }

const nowhere: PostRoute = () => problem("not-found")

function doorAt(posts: ReadonlyMap<string, PostRoute>, asked: string): NamedDoor {
  const [, before, written = "", after = ""] = namedPath.exec(asked) ?? []
  const path = before === undefined ? asked : `${before}:name${after}`
  const name = decodedName(written)
  return { door: (name === null ? undefined : posts.get(path)) ?? nowhere, path, name: name ?? "" }
}

/** Outcomes of calls can wait for calls that are to run, and nobody waits for the acknowledgement of an outcome. */
function isSettling(path: string): boolean {
  return path.startsWith(settling)
}

const settling = gatePaths.settle("")

function decodedName(name: string): string | null {
  try {
    return decodeURIComponent(name)
  } catch {
    return null
  }
}
