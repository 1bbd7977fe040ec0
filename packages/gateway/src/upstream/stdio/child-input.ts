/**
 * The input of a server's process, which all agents write to. Lines that begin together are written together: each write wakes the
 * server, whatever its length. A server that reads slowly gets the agents' lines in turn.
 *
 * I1. While one agent's lines wait, another's next line waits for at most one of them.
 * I2. What one agent's lines take while they wait is bounded; what is beyond it is refused, and was not sent.
 */
import type { Writable } from "node:stream"
import { LinkError } from "../link.ts"

export type ChildInput = {
  /** `done` is told once it is written, or that it never will be. */
  readonly write: (line: string, principal: string, done: Written) => void
  /** Hands over all that waits, before the input ends. */
  readonly flush: () => void
}

export type Written = (error: LinkError | null) => void

type Line = { readonly text: string; readonly done: Written }
type Lines = { readonly waiting: Line[]; size: number }

/** In characters: as much as the system is given at once, and as much as may wait of one agent. A short line takes more memory than its characters. */
const mostHandedOver = 64 * 1024
const mostWaitingOfOne = 16 * 1024 * 1024
const leastOfLine = 512

export function openInput(stdin: Writable): ChildInput {
  // Whose turn it is next comes first.
  const agents = new Map<string, Lines>()
  let isPlanned = false
  let isTaken = true

  function flush(most = Number.POSITIVE_INFINITY): void {
    let text = ""
    const told: Written[] = []
    while (text.length < most) {
      const line = nextLine(agents)
      if (line === undefined) break
      text += line.text
      told.push(line.done)
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
  }

  function plan(): void {
    if (isPlanned || !isTaken || agents.size === 0) return
    isPlanned = true
    process.nextTick(() => {
      isPlanned = false
      flush(mostHandedOver)
    })
  }

  return {
    write: (text, principal, done) => {
      const lines = agents.get(principal) ?? { waiting: [], size: 0 }
      if (lines.size > 0 && lines.size + sizeOf(text) > mostWaitingOfOne) return done(tooMuch())
      lines.waiting.push({ text, done })
      lines.size += sizeOf(text)
      agents.set(principal, lines)
      plan()
    },
    flush: () => flush(),
  }
}

function sizeOf(line: string): number {
  return Math.max(line.length, leastOfLine)
}

function nextLine(agents: Map<string, Lines>): Line | undefined {
  for (const [principal, lines] of agents) {
    const line = lines.waiting.shift()
    // To the end of the row, if anything is left.
    agents.delete(principal)
    if (line === undefined) continue
    lines.size -= sizeOf(line.text)
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
