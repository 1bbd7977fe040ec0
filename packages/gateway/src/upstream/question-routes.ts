/**
 * Whom a legacy server's question is put to, by the requests that it may be about. Over HTTP a question comes on the stream of its request; over stdio and
 * SSE, and beside the requests over HTTP, a server does not say which request it asks for.
 *
 * I1. A question may be about any request that had left when it came, and about no later one. It ends once all of those are over.
 * I2. Where they are of several sessions, nobody is asked, since nobody can tell whose question it is: the server is told so.
 * I3. It is judged once, and put to one client: that of the newest of them which still takes questions. Where none does, it is refused at once.
 */
import { type Session, sessionKey } from "@byleave/core"
import { errorCode, errorReply } from "../wire/errors.ts"
import type { Ask, Reply } from "../wire/message.ts"
import { exchangeOver, wasAsked } from "../wire/not-asked.ts"
import { createSignal, type Signal } from "../wire/signal.ts"

/** The client behind a request, for what a legacy server wants to know while it runs. */
export type Askable = {
  readonly session: Session
  /** Judges a question as this client's, and puts it where the route leads. */
  readonly judge: (ask: Ask, route: QuestionRoute) => Promise<Reply>
  /** Puts a question to this client; a reply of `not-asked.ts` where that asked nobody. */
  readonly inquire: (ask: Ask) => Promise<Reply>
}

export type QuestionRoute = {
  readonly inquire: (ask: Ask) => Promise<Reply>
  /** Aborts once every request that the question may be about is over. */
  readonly over: Signal
}

/** The requests that a question may be about, by id, the oldest first. */
export type AskableRequests = ReadonlyArray<readonly [id: number, client: Askable]>

export type QuestionRoutes = {
  readonly ask: (ask: Ask, about: AskableRequests) => Promise<Reply>
  /** A request is over. */
  readonly ended: (id: number) => void
}

/** `onUnclear`: a question was refused, since nobody can tell whose it is; told once for the same newest request. */
export function createQuestionRoutes(onUnclear: (ask: Ask) => void): QuestionRoutes {
  const open = new Set<(ended: number) => void>()
  let toldOf: number | undefined
  return {
    ask: async (ask, about) => {
      const newest = about.at(-1)
      if (newest === undefined) return exchangeOver
      const [id, client] = newest
      if (!isOneSession(about)) {
        if (toldOf !== id) onUnclear(ask)
        toldOf = id
        return unclear
      }
      const over = createSignal()
      const left = new Map(about.toReversed())
      const ended = (request: number): void => {
        if (left.delete(request) && left.size === 0) over.abort()
      }
      open.add(ended)
      try {
        return await client.judge(ask, { over, inquire: (question) => putTo(left, question) })
      } finally {
        open.delete(ended)
      }
    },
    ended: (id) => {
      if (open.size > 0) for (const ended of open) ended(id)
    },
  }
}

/** A request that ends meanwhile is passed over. */
async function putTo(left: ReadonlyMap<number, Askable>, question: Ask): Promise<Reply> {
  let refused = exchangeOver
  for (const client of left.values()) {
    const reply = await client.inquire(question)
    if (wasAsked(reply)) return reply
    refused = reply
  }
  return refused
}

function isOneSession(about: AskableRequests): boolean {
  const [first, ...others] = about.map(([, { session }]) => sessionKey(session))
  return others.every((key) => key === first)
}

const unclear: Reply = errorReply(
  errorCode.internal,
  "Requests of several sessions are under way on this connection, and the question does not say which one it is about. Nobody was asked.",
)
