/**
 * Whom a legacy server's question is put to, by the requests that it may be about. Over HTTP a question comes on the stream of its request; over stdio and
 * SSE, and beside the requests over HTTP, a server does not say which request it asks for.
 *
 * I1. A question may be about any request that had left when it came, and about no later one; one that does not say so, over a connection of one session, about
 *     none of them either. It ends once all of those are over and its client does not listen outside requests.
 * I2. Where they are of several sessions, nobody is asked, since nobody can tell whose question it is: the server is told so.
 * I3. It is judged once, and put to the client of the newest of them which still takes questions, then to the one that listens outside requests. It waits for a
 *     client to come only where no other is there; where none can come, it is refused at once.
 */
import { type Session, sessionKey } from "@byleave/core"
import { errorCode, errorReply } from "../wire/errors.ts"
import type { Inquire } from "../wire/exchange.ts"
import type { Ask, Reply } from "../wire/message.ts"
import { exchangeOver, wasAnswered } from "../wire/not-asked.ts"
import { createSignal, type Signal } from "../wire/signal.ts"

/** The client behind a request, for what a legacy server wants to know while it runs. */
export type Askable = {
  readonly session: Session
  /** Judges a question as this client's, and puts it where the route leads. */
  readonly judge: (ask: Ask, route: QuestionRoute) => Promise<Reply>
  /** Puts a question to this client; a reply of `not-asked.ts` where nobody answers that. */
  readonly inquire: Inquire
  /** As of `Audience`. */
  readonly isThere?: (() => boolean) | undefined
}

/** The client of a connection's one session, outside any request. It is asked what has been judged, and waited for for a while. */
export type StandingClient = {
  readonly isThere: () => boolean
  readonly inquire: (ask: Ask) => Promise<Reply>
}

export type QuestionRoute = {
  readonly inquire: (ask: Ask) => Promise<Reply>
  /** Aborts once the question can be about nothing any more. */
  readonly over: Signal
}

/** The requests that a question may be about, by id, the oldest first. */
export type AskableRequests = ReadonlyArray<readonly [id: number, client: Askable]>

export type QuestionRoutes = {
  /** `standing`: the client that the question may be for though it is about no request; null: there is none. */
  readonly ask: (ask: Ask, about: AskableRequests, standing?: StandingClient | null) => Promise<Reply>
  /** A request is over. */
  readonly ended: (id: number) => void
  /** The server asks no more: all open questions are over. */
  readonly close: () => void
}

/** `onUnclear`: a question was refused, since nobody can tell whose it is; told once for the same newest request. */
export function createQuestionRoutes(onUnclear: (ask: Ask) => void): QuestionRoutes {
  const open = new Set<OpenRoute>()
  let toldOf: number | undefined
  return {
    ask: async (ask, about, standing = null) => {
      const newest = about.at(-1)
      if (newest === undefined) return exchangeOver
      const [id, client] = newest
      if (!isOneSession(about)) {
        if (toldOf !== id) onUnclear(ask)
        toldOf = id
        return unclear
      }
      const route: OpenRoute = { left: new Map(about.toReversed()), standing, over: createSignal() }
      open.add(route)
      try {
        return await client.judge(ask, { over: route.over, inquire: (question) => putTo(route, question) })
      } finally {
        open.delete(route)
      }
    },
    ended: (id) => {
      if (open.size === 0) return
      for (const { left, standing, over } of open)
        if (left.delete(id) && left.size === 0 && standing?.isThere() !== true) over.abort()
    },
    close: () => {
      for (const route of open) {
        route.standing = null
        route.over.abort()
      }
    },
  }
}

/** `left`: the requests that the question may be about and that are not over, the newest first. */
type OpenRoute = {
  readonly left: Map<number, Askable>
  standing: StandingClient | null
  readonly over: ReturnType<typeof createSignal>
}

/** A request that ends meanwhile is passed over. */
async function putTo(route: OpenRoute, question: Ask): Promise<Reply> {
  let refused = exchangeOver
  const tried = new Set<Askable>()
  for (let next = nextOf(route, tried); next !== undefined; next = nextOf(route, tried)) {
    tried.add(next)
    refused = await next.inquire(question, route.over)
    if (wasAnswered(refused)) return refused
  }
  const { left, standing } = route
  // As one that came just after the last request was over.
  const mayCome = left.size === 0 && tried.size === 0
  return standing !== null && (mayCome || standing.isThere()) ? standing.inquire(question) : refused
}

/** Those whose client is away come last, and not before one that listens. */
function nextOf({ left, standing }: OpenRoute, tried: ReadonlySet<Askable>): Askable | undefined {
  const untried = Array.from(left.values()).filter((client) => !tried.has(client))
  const there = untried.find(({ isThere }) => isThere?.() !== false)
  return there ?? (standing?.isThere() === true ? undefined : untried[0])
}

function isOneSession(about: AskableRequests): boolean {
  const [first, ...others] = about.map(([, { session }]) => sessionKey(session))
  return others.every((key) => key === first)
}

const unclear: Reply = errorReply(
  errorCode.internal,
  "Requests of several sessions are under way on this connection, and the question does not say which one it is about. Nobody was asked.",
)
