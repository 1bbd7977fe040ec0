/**
 * How models' servers are asked: whatever they send, no more of it is held than a few megabytes.
 *
 * I1. Bytes are counted as they arrive, after decompression; the connection ends with the first one too many.
 * I2. A redirect is not followed: keys and conversations go only to the address that is configured.
 * I3. Others get their turn while large answers are read, however many, also where all of it is there already (read-pace I1).
 * I4. A large body of an error is cut, not refused: what its status means is told all the same.
 */
import { createLineFeeds } from "@byleave/core"
import type { ModelLimits } from "../run-limits.ts"
import { createEventScanner } from "./event-scanner.ts"
import { mostPerTurn, type ReadPace } from "./read-pace.ts"
import { answerTooLarge, UnusableAnswer } from "./unusable-answer.ts"

type WireLimits = Pick<ModelLimits, "wireBytes" | "eventBytes" | "eventObjects" | "errorBytes">

export function boundedFetch(
  fetch: typeof globalThis.fetch,
  limits: WireLimits,
  pace: ReadPace,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "manual" })
    if (isRedirect(response)) {
      response.body?.cancel().catch(() => {})
      throw new UnusableAnswer("redirected", redirectedWords(response))
    }
    if (response.body === null) return response
    const { status, statusText, headers } = response
    const read = inSlices(response.body, pace)
    const body = response.ok ? boundedAnswer(read, limits) : cutAfter(read, limits.errorBytes)
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

function boundedAnswer(body: Bytes, { wireBytes, eventBytes, eventObjects }: WireLimits): Bytes {
  const scan = createEventScanner()
  const lineFeeds = createLineFeeds()
  let bytes = 0
  return passing(body, (chunk) => {
    bytes += chunk.length
    if (bytes > wireBytes) throw answerTooLarge("The model's answer", wireBytes)
    const longest = scan(chunk)
    if (longest.bytes > eventBytes) throw answerTooLarge("One event of the model's answer", eventBytes)
    if (longest.objects > eventObjects) {
      const message = `One event of the model's answer has more than ${eventObjects} objects, the most that are taken.`
      throw new UnusableAnswer("too-large", message)
    }
    return lineFeeds(chunk)
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

/** The same bytes in small pieces, at the pace of all that are read. */
function inSlices(body: Bytes, pace: ReadPace): Bytes {
  const reader = body.getReader()
  let rest: Uint8Array<ArrayBuffer> = new Uint8Array()
  return new ReadableStream(
    {
      async pull(controller) {
        if (rest.length === 0) {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          rest = value
        }
        const slice = rest.subarray(0, mostPerTurn)
        await pace(slice.length)
        rest = rest.subarray(slice.length)
        controller.enqueue(slice)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** The same bytes as `take` passes them on; null ends them. An error that it throws ends them as an error. */
function passing(body: Bytes, take: (chunk: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | null): Bytes {
  const reader = body.getReader()
  return new ReadableStream(
    {
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
    },
    { highWaterMark: 0 },
  )
}
