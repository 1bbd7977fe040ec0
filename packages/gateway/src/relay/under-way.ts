/**
 * Requests that a server works on, and what people say of it meanwhile.
 *
 * I1. What is under way at a server that is closed as a whole, or with a tool that is put in quarantine, is withdrawn at once: what became of it is
 *     unknown, unless nothing was sent.
 * I2. Nothing that a server says after a change reaches its agent, and nothing that the agent says reaches it, before the change was looked at. Where
 *     nobody can be asked, only the reply passes.
 * I3. What a server asks outside any request is asked, and answered, only while the server is not closed as a whole.
 * I4. What a server says after a change waits within limits, and is told before the reply.
 * I5. Nothing of a question stays once it has its answer, however long the request it belongs to goes on.
 */
import { LinkError } from "../upstream/link.ts"
import type { Caller } from "../wire/caller.ts"
import { errorCode, errorReply } from "../wire/errors.ts"
import type { Audience, Exchange } from "../wire/exchange.ts"
import { createIndexedList, type Indexed } from "../wire/indexed-list.ts"
import type { Ask, Notice, Reply } from "../wire/message.ts"
import { createWaitingNotices, type WaitingNotices } from "../wire/methods/waiting-notices.ts"
import { createSignal, type Signal, unlessAborted } from "../wire/signal.ts"
import type { ServerRelay } from "./server-relay.ts"
import { isClosed } from "./talk/closing.ts"

type Talk = { readonly audience: Audience; readonly signal: Signal }

/** `tool`: the name of the one that is called; null: it is no call of a tool. */
export type WatchedRequest = Talk & { readonly caller: Caller; readonly tool: string | null }

export type UnderWay = {
  /** Sends it with an audience and a signal of its own, which end where the server, or the tool, is closed meanwhile. */
  readonly watch: (request: WatchedRequest, send: (talk: Talk) => Promise<Reply>) => Promise<Reply>
  /** Asks a client outside any request, unless the server is closed, or until it is. */
  readonly inquire: (of: Pick<WatchedRequest, "caller"> & Pick<Exchange, "inquire">, ask: Ask) => Promise<Reply>
  /** Looks at all of them: what agents may do has changed. */
  readonly changed: () => void
}

type Where = Pick<ServerRelay, "context" | "server">

export function createUnderWay(where: Where): UnderWay {
  const all = createIndexedList<Watched>()
  return {
    watch: (request, send) => {
      const watched = new Watched(where, request, "open")
      const { signal: given } = request
      all.add(watched)
      given.addEventListener("abort", watched.signal.abort, { once: true })
      if (given.aborted) watched.signal.abort()
      return watched.replied(send(watched), () => {
        all.remove(watched)
        given.removeEventListener("abort", watched.signal.abort)
      })
    },
    inquire: async ({ caller, inquire }, ask) => {
      const request = { caller, tool: null, audience: { notify: () => {}, inquire }, signal: createSignal() }
      const watched = new Watched(where, request, "unknown")
      all.add(watched)
      try {
        return await watched.audience.inquire(ask)
      } finally {
        all.remove(watched)
      }
    },
    changed: () => {
      for (const watched of all.all()) watched.recheck()
    },
  }
}

type Standing = "open" | "closed" | "unknown"

class Watched implements Talk, Indexed {
  index = -1
  readonly signal = createSignal()
  readonly #where: Where
  readonly #request: WatchedRequest
  /** As of `Visibility`; null: nobody has looked yet. */
  #seen: number | null
  #isClosed = false
  /** Notices that the server sent after a change that nobody has looked at yet; null: there were none. */
  #waiting: WaitingNotices | null = null

  constructor(where: Where, request: WatchedRequest, standing: "open" | "unknown") {
    this.#where = where
    this.#request = request
    this.#seen = standing === "open" ? this.#changes() : null
  }

  recheck(): void {
    void this.#look()
  }

  get audience(): Talk["audience"] {
    return { notify: this.#notify, inquire: this.#inquire, isThere: this.#request.audience.isThere }
  }

  async replied(replying: Promise<Reply>, over: () => void): Promise<Reply> {
    const { id } = this.#where.server
    try {
      const reply = await replying
      // What was said before it is told before it.
      const telling = this.#waiting?.over() ?? null
      if (telling !== null) await telling
      if (this.#isCurrent() || (await this.#look()) !== "closed") return reply
    } catch (error) {
      if (!this.#isClosed || !(error instanceof LinkError)) throw error
      if (error.code === "unsent") throw new LinkError("changed", unsentWords(id), { cause: error })
      if (error.code !== "withdrawn") throw error
    } finally {
      over()
    }
    throw new LinkError("cut-off", closedWords(id))
  }

  readonly #notify = (notice: Notice): void => {
    if (this.#waiting === null && this.#isCurrent()) this.#request.audience.notify(notice)
    else {
      this.#waiting ??= this.#waitForLook()
      this.#waiting.add(notice)
    }
  }

  #waitForLook(): WaitingNotices {
    const { context, server } = this.#where
    const waiting = createWaitingNotices({
      passes: () => this.#isCurrent(),
      look: async (notice) => {
        if ((await this.#look()) === "open") return notice
        // One look is for all of them.
        waiting.forget()
        return null
      },
      tell: (notice) => this.#request.audience.notify(notice),
      log: (words) => context.log(`${server.id}: ${words}`),
    })
    return waiting
  }

  readonly #inquire: Exchange["inquire"] = async (ask, until) => {
    if (!this.#isCurrent() && (await this.#look()) !== "open") return notAsked
    const asked = this.#request.audience.inquire(ask, until)
    const reply = await unlessAborted(this.signal, asked, () =>
      this.#isClosed ? Promise.resolve(notAsked) : undefined,
    )
    return this.#isCurrent() || (await this.#look()) === "open" ? reply : notAsked
  }

  #changes(): number {
    return this.#where.context.visibility.changes(this.#request.caller.session)
  }

  #isCurrent(): boolean {
    return !this.#isClosed && this.#seen === this.#changes()
  }

  async #look(): Promise<Standing> {
    try {
      while (!this.#isClosed && !this.#isCurrent()) {
        const changes = this.#changes()
        if (await mustEnd(this.#where, this.#request)) {
          this.#isClosed = true
          this.signal.abort()
        } else this.#seen = changes
      }
      return this.#isClosed ? "closed" : "open"
    } catch (error) {
      const { context, server } = this.#where
      context.log(`${server.id}: whether it may go on with a request could not be asked: ${String(error)}`)
      return "unknown"
    }
  }
}

/** The server is closed as a whole, or the tool is in quarantine. */
export async function mustEnd(
  where: Where,
  { caller, tool }: Pick<WatchedRequest, "caller" | "tool">,
): Promise<boolean> {
  if (await isClosed(where, caller)) return true
  if (tool === null) return false
  const target = { server: where.server.id, kind: "tool", name: tool } as const
  const { because } = await where.context.gate.judge(target, undefined, caller)
  return because.kind === "pin" && because.pin === "quarantined"
}

const notAsked = errorReply(errorCode.internal, "The client is not asked: what it may do has changed.")

function closedWords(server: string): string {
  return `A person put it in quarantine, or denied the server ${server}, while it was under way. Nothing that the server says of it is passed on any more.`
}

function unsentWords(server: string): string {
  return `A person put it in quarantine, or denied the server ${server}, while this call waited to be sent. Nothing was sent.`
}
