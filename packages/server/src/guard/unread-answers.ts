/**
 * Answers on their way out: whoever asks for much and reads little makes the service keep it.
 *
 * I1. Every answer goes out through here, whichever route made it. What is large counts, whole, for whoever asked, until all of it was taken.
 * I2. Answers go out in pieces of their own: a large text is not kept for the sake of its end.
 * I3. An answer that can be asked for again is refused where its sender leaves too much unread. The answer to something done is not, nor is a
 *     stream: for these, others of the same sender are broken off.
 */
import { largeAnswer, type UnreadAnswer, type UnreadBudget } from "@byleave/core"
import { type RefusedRequest, refuse } from "../refused.ts"

export type UnreadAnswers = UnreadBudget & {
  /** From here on it is known who sent the request. */
  readonly asks: (request: Request, sender: string) => void
  readonly senderOf: (request: Request) => string
  /** The body of the answer as it goes out. */
  readonly goingOut: (request: Request, response: Response) => Promise<ReadableStream<Bytes> | null | RefusedRequest>
}

/** Answers to unknown senders are small; what is not counts for all of them. */
const nobody = "nobody"

type Bytes = Uint8Array<ArrayBuffer>
type Reader = ReadableStreamDefaultReader<Bytes>

export function createUnreadAnswers(budget: UnreadBudget, now: () => number): UnreadAnswers {
  const senders = new WeakMap<Request, string>()
  const senderOf = (request: Request): string => senders.get(request) ?? nobody
  return {
    ...budget,
    asks: (request, sender) => void senders.set(request, sender),
    senderOf,
    goingOut: async (request, { body, headers }) => {
      if (body === null) return null
      const sender = senderOf(request)
      const reader: Reader = body.getReader()
      if (headers.get("content-type")?.startsWith("text/event-stream") === true) {
        return inPieces({ budget, now, sender, reader })
      }
      const { value: first } = await reader.read()
      const bytes = first?.byteLength ?? 0
      const giving = request.method === "GET" ? "given-up" : "any"
      if (bytes > largeAnswer && !budget.makeRoom(sender, bytes, giving)) {
        void reader.cancel().catch(() => {})
        return refuse("too-many-reads", tooMuchUnread)
      }
      return inPieces({ budget, now, sender, reader }, first)
    },
  }
}

const tooMuchUnread =
  "Answers that were sent to you and that you have not read hold as much as they may. Read them, or close their connections, then try again."

type Outgoing = {
  readonly budget: UnreadBudget
  readonly now: () => number
  readonly sender: string
  readonly reader: Reader
}

const nothing: Bytes = new Uint8Array(0)

/** `first` was read of it, and has room. */
function inPieces({ budget, now, sender, reader }: Outgoing, first = nothing): ReadableStream<Bytes> {
  let whole: Bytes = nothing
  let taken = 0
  let readAt = now()
  let broken: Error | null = null
  let end = (_: Error): void => {}
  const answer: UnreadAnswer = {
    principal: sender,
    bytes: () => whole.byteLength,
    readAt: () => readAt,
    breakOff: () => {
      broken = new Error("Too much of what was sent is unread.")
      whole = nothing
      end(broken)
      void reader.cancel(broken).catch(() => {})
    },
  }
  const keep = (bytes: Bytes): void => {
    whole = bytes
    taken = 0
    if (bytes.byteLength > largeAnswer) budget.open(answer)
  }
  const letGo = (): void => {
    whole = nothing
    budget.close(answer)
  }
  const nextPiece = (): Bytes => {
    const piece = whole.byteLength <= largeAnswer ? whole : whole.slice(taken, taken + largeAnswer)
    taken += piece.byteLength
    if (taken >= whole.byteLength) letGo()
    return piece
  }
  const source: UnderlyingDefaultSource<Bytes> = {
    start: (controller) => {
      end = (error) => controller.error(error)
      keep(first)
    },
    pull: async (controller) => {
      readAt = now()
      if (whole.byteLength === 0) {
        const { done, value } = await reader.read()
        if (broken !== null) return
        if (done) return controller.close()
        if (value.byteLength > largeAnswer) budget.makeRoom(sender, value.byteLength, "any")
        keep(value)
      }
      controller.enqueue(nextPiece())
    },
    cancel: (reason) => {
      letGo()
      return reader.cancel(reason)
    },
  }
  // Nothing waits in a queue, where it would not be counted.
  return new ReadableStream(source, { highWaterMark: 0 })
}
