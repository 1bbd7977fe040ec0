/**
 * How models' servers are asked: whatever they send, no more of it is held than a few megabytes.
 *
 * I1. Bytes are counted as they arrive, after decompression; the connection ends with the first one too many.
 * I2. A redirect is not followed: keys and conversations go only to the address that is configured.
 * I3. A large body of an error is cut, not refused: what its status means is told all the same.
 */
import type { ModelLimits } from "../run-limits.ts"
import { answerTooLarge, UnusableAnswer } from "./unusable-answer.ts"

type WireLimits = Pick<ModelLimits, "wireBytes" | "eventBytes" | "errorBytes">

export function boundedFetch(fetch: typeof globalThis.fetch, limits: WireLimits): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "manual" })
    if (isRedirect(response)) {
      response.body?.cancel().catch(() => {})
      throw new UnusableAnswer("redirected", redirectedWords(response))
    }
    if (response.body === null) return response
    const { status, statusText, headers } = response
    const body = response.ok ? boundedAnswer(response.body, limits) : cutAfter(response.body, limits.errorBytes)
    // A Response cannot be made with a status beyond this one, and servers can send such.
    return new Response(body, { status: Math.min(status, 599), statusText, headers })
  }
}

function isRedirect({ type, status }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400)
}

/** Browsers do not tell where it leads. */
function redirectedWords({ headers }: Response): string {
  const location = headers.get("location") ?? ""
  const where = URL.canParse(location) ? ` to ${new URL(location).origin}` : ""
  return `The model's address redirects${where}, which is not followed. Put the final address into \`url\` of this model, then continue the run.`
}

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>

function boundedAnswer(body: Bytes, { wireBytes, eventBytes }: WireLimits): Bytes {
  const eventLength = createEventMeter()
  let bytes = 0
  return passing(body, (chunk) => {
    bytes += chunk.length
    if (bytes > wireBytes) throw answerTooLarge("The model's answer", wireBytes)
    if (eventLength(chunk) > eventBytes) throw answerTooLarge("One event of the model's answer", eventBytes)
    return chunk
  })
}

function cutAfter(body: Bytes, most: number): Bytes {
  let left = most
  return passing(body, (chunk) => {
    if (left === 0) return null
    const taken = chunk.length > left ? chunk.slice(0, left) : chunk
    left -= taken.length
    return taken
  })
}

/** The same bytes as `take` gives them on; null ends them. What it throws ends them as an error. */
function passing(body: Bytes, take: (chunk: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | null): Bytes {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) return controller.close()
      try {
        const taken = take(value)
        if (taken !== null) return controller.enqueue(taken)
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      reader.cancel().catch(() => {})
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Measures events of a stream, which end with an empty line: given its chunks, it tells the length of the longest event so far that is not
 * shorter than a chunk. Where no event ends, as in plain JSON, all of it is one.
 */
function createEventMeter(): (chunk: Uint8Array) => number {
  let open = 0
  /** Whether what came last is the end of a line. */
  let endsLine = false
  return (chunk) => {
    const first = firstEventEnd(chunk, endsLine)
    const longest = open + (first === -1 ? chunk.length : first)
    open = first === -1 ? longest : chunk.length - lastEventEnd(chunk, first)
    endsLine = chunk.at(-1) === lineFeed || (endsLine && chunk.length === 1 && chunk[0] === carriageReturn)
    return Math.max(longest, open)
  }
}

/** Behind the first empty line, or -1. */
function firstEventEnd(chunk: Uint8Array, afterLine: boolean): number {
  if (afterLine && chunk[0] === lineFeed) return 1
  if (afterLine && chunk[0] === carriageReturn && chunk[1] === lineFeed) return 2
  for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) {
    if (chunk[at + 1] === lineFeed) return at + 2
    if (chunk[at + 1] === carriageReturn && chunk[at + 2] === lineFeed) return at + 3
  }
  return -1
}

/** Behind the last empty line; `first`: behind the first one. */
function lastEventEnd(chunk: Uint8Array, first: number): number {
  for (let at = chunk.lastIndexOf(lineFeed); at >= first; at = chunk.lastIndexOf(lineFeed, at - 1)) {
    if (chunk[at - 1] === lineFeed) return at + 1
    if (chunk[at - 1] === carriageReturn && chunk[at - 2] === lineFeed) return at + 1
  }
  return first
}
