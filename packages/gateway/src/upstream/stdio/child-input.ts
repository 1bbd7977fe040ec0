/**
 * The input of a server's process, which all agents write to. Lines that begin together are written together: each write wakes the
 * server, whatever its length. A server that reads slowly gets the agents' lines in turn.
 *
 * I1. While one agent's lines wait, another's next line waits for at most one of them.
 * I2. What one agent's lines take while they wait is bounded; what is beyond it is refused, and was not sent.
 * I3. A line that waits is written only if it may still leave when its turn comes; until then it can be taken back.
 * I4. Once the pipe does not take all that it is given at once, it is given one line at a time until nothing waits: what was handed over is out of reach.
 */
import type { Writable } from "node:stream"
import { LinkError, type MayLeave, outdated } from "../link.ts"

export type ChildInput = {
  readonly write: (line: WaitingLine, principal: string) => void
  /** Takes back the line of this request, if it waits; it is told nothing. */
  readonly forget: (request: number) => void
  /** Hands over all that waits and may leave, before the input ends. */
  readonly flush: () => void
}

export type WaitingLine = {
  readonly text: string
  /** The id of the request that it is; absent: it is a notification or an answer. */
  readonly request?: number
  readonly mayLeave?: MayLeave | undefined
  /** Told once it is written, or that it never will be. */
  readonly done: Written
}

export type Written = (error: LinkError | null) => void

type Lines = { readonly waiting: WaitingLine[]; size: number }

/** In characters: as much as the system is given at once, and as much as may wait of one agent. A short line takes more memory than its characters. */
const mostHandedOver = 64 * 1024
const mostWaitingOfOne = 16 * 1024 * 1024
const leastOfLine = 512

export function openInput(stdin: Writable): ChildInput {
  // Whose turn it is next comes first.
  const agents = new Map<string, Lines>()
  let isPlanned = false
  let isTaken = true
  /** The pipe did not take a write at once, and lines have waited ever since. */
  let isSlow = false

  function flush(most = Number.POSITIVE_INFINITY): void {
    let text = ""
    const told: Written[] = []
    while (text.length < most) {
      const line = nextLine(agents)
      if (line === undefined) break
      if (line.mayLeave?.() === false) line.done(outdated())
      else {
        text += line.text
        told.push(line.done)
      }
    }
    if (told.length > 0) hand(text, told)
  }

  function hand(text: string, told: readonly Written[]): void {
    const taken = (error: LinkError | null): void => {
      isTaken = true
      for (const done of told) done(error)
      plan()
    }
    isTaken = false
    if (stdin.writable) stdin.write(text, (cause) => taken(cause ? noInput({ cause }) : null))
    else taken(noInput())
    isSlow = stdin.writableLength > 0 || (isSlow && agents.size > 0)
  }

  function plan(): void {
    if (isPlanned || !isTaken || agents.size === 0) return
    isPlanned = true
    process.nextTick(() => {
      isPlanned = false
      flush(isSlow ? 1 : mostHandedOver)
    })
  }

  return {
    write: (line, principal) => {
      const lines = agents.get(principal) ?? { waiting: [], size: 0 }
      if (lines.size > 0 && lines.size + sizeOf(line) > mostWaitingOfOne) return line.done(tooMuch())
      lines.waiting.push(line)
      lines.size += sizeOf(line)
      agents.set(principal, lines)
      plan()
    },
    forget: (request) => {
      for (const [principal, lines] of agents) {
        const at = lines.waiting.findIndex((line) => line.request === request)
        if (at === -1) continue
        for (const line of lines.waiting.splice(at, 1)) lines.size -= sizeOf(line)
        if (lines.waiting.length === 0) agents.delete(principal)
        return
      }
    },
    flush: () => flush(),
  }
}

function sizeOf({ text }: WaitingLine): number {
  return Math.max(text.length, leastOfLine)
}

function nextLine(agents: Map<string, Lines>): WaitingLine | undefined {
  for (const [principal, lines] of agents) {
    const line = lines.waiting.shift()
    // To the end of the row, if anything is left.
    agents.delete(principal)
    if (line === undefined) continue
    lines.size -= sizeOf(line)
    if (lines.waiting.length > 0) agents.set(principal, lines)
    return line
  }
  return undefined
}

function noInput(options?: ErrorOptions): LinkError {
  return new LinkError("cut-off", "The server takes no input any more.", options)
}

function tooMuch(): LinkError {
  const words = "The server reads its input too slowly, and too much of this agent waits for it. Nothing was sent."
  return new LinkError("unreachable", `${words} Wait until some of it is answered, then try again.`)
}
