/**
 * The gate's doors over one connection that stands: a call then costs a small write and a small read before it may run.
 *
 * A program sends lines of `<number> <path> <JSON>`. It hears `<number> . <JSON>` for each line of an answer that comes line by line, and
 * `<number> <status> <JSON>` at an answer's end. The credential is looked at for every line: one that was revoked opens nothing more. When
 * the connection ends, so does everything that was asked over it, as if each had been a connection of its own.
 */
import { type GateAnswer, type Listener, problem } from "./gate-answer.ts"
import type { GateDoors } from "./gate-doors.ts"
import { type PostDoor, postDoors } from "./gate-posts.ts"
import { lineTaker } from "./line-taker.ts"

/** The connection, as whoever listens has it. */
export type LineConnection = {
  /** `isLate`: nobody waits for it, so that it may go with what is written next. */
  readonly write: (text: string, isLate: boolean) => void
  readonly end: () => void
}

/** What to do with what arrives on it. */
export type LineReader = { readonly take: (bytes: Uint8Array) => void; readonly gone: () => void }

/** What is larger goes by a request of its own. */
const mostBytes = 1024 * 1024

const request = /^(\d{1,15}) (\/[^ ]{1,4000}) (.*)$/s
const namedPath = /^(\/api\/gate\/(?:runs|submissions)\/)([^/]+)(\/leave)?$/

export function openGateLines(doors: GateDoors): (authorization: string, connection: LineConnection) => LineReader {
  const posts = postDoors(doors)
  return (authorization, connection) => openLine(doors, posts, authorization, connection)
}

function openLine(
  doors: GateDoors,
  posts: ReadonlyMap<string, PostDoor>,
  authorization: string,
  { write, end }: LineConnection,
): LineReader {
  const leaving = new Set<() => void>()
  let isGone = false
  const beat = setInterval(() => write("\n", false), doors.keepAliveMs)
  const gone = (): void => {
    clearInterval(beat)
    isGone = true
    for (const leave of leaving) leave()
    leaving.clear()
  }
  const stop = (): void => {
    end()
    gone()
  }
  const answer = async (path: string, text: string): Promise<GateAnswer> => {
    const who = await doors.identify(authorization)
    if (who === null) return problem("wrong-credential")
    const [, before = "", name = "", after = ""] = namedPath.exec(path) ?? []
    const door = posts.get(before === "" ? path : `${before}:name${after}`)
    const decoded = decodedName(name)
    return door === undefined || decoded === null ? problem("not-found") : door(text, who, decoded)
  }
  const listenerFor = (number: string): Listener => ({
    say: (line) => write(`${number} . ${JSON.stringify(line)}\n`, false),
    isGone: () => isGone,
    whenGone: (then) => {
      if (isGone) then()
      // The same may wait for it twice.
      const leave = (): void => then()
      leaving.add(leave)
      return () => leaving.delete(leave)
    },
  })
  const serve = async (number: string, path: string, text: string): Promise<void> => {
    try {
      const answered = await answer(path, text)
      if ("follow" in answered) {
        await answered.follow(listenerFor(number))
        write(`${number} 200 {}\n`, true)
      } else write(`${number} ${answered.status} ${JSON.stringify(answered.value)}\n`, isPlain(path))
    } catch (trouble) {
      doors.onTrouble?.(trouble)
      const { status, value } = problem("failed")
      write(`${number} ${status} ${JSON.stringify(value)}\n`, false)
    }
  }
  const take = lineTaker(mostBytes, (line) => {
    const [, number, path, text] = line === null || isGone ? [] : (request.exec(line) ?? [])
    if (number === undefined || path === undefined || text === undefined) {
      if (!isGone && line?.trim() !== "") stop()
    } else void serve(number, path, text)
  })
  return { take, gone }
}

/** Nobody waits for the word that an outcome was taken. */
function isPlain(path: string): boolean {
  return path.startsWith("/api/gate/runs/")
}

function decodedName(name: string): string | null {
  try {
    return decodeURIComponent(name)
  } catch {
    return null
  }
}
