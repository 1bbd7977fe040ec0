/**
 * Cancellations that name a request which has come and has not begun: it is still arriving, or waits for its turn.
 *
 * I1. A request that had come when its cancellation was accepted never begins.
 * I2. One that comes after a cancellation begins, whatever its id.
 * I3. Cancellations are kept only while a message that came before them has not begun, and of one principal only so many: more are refused, not forgotten.
 */
import type { IncomingHttpHeaders } from "node:http"
import type { RequestId } from "../../wire/message.ts"
import type { ComingMessage } from "../front-message.ts"

/** The headers of a message name its conversation, also before anybody has looked whose it is. */
export type EarlyCancellations = {
  /** A message has come, and does not begin at once. Null: it is of no conversation. */
  readonly comes: (headers: Headers) => ComingMessage | null
  /** Whether a message of this conversation has come and has not begun, besides `own`. */
  readonly awaits: (headers: Headers, own: ComingMessage | null) => boolean
  /** Keeps a cancellation for what has come and not begun. False: there is no room for it among those of its principal. */
  readonly keep: (principal: string, headers: Headers, id: RequestId) => boolean
}

type Headers = Readonly<IncomingHttpHeaders>

/** In characters of ids, each with what else it takes to keep it. */
const mostOfOne = 256 * 1024
const besideId = 64

type Arrival = { readonly at: number }
type Cancellation = { readonly principal: string; readonly at: number }
type Conversation = {
  /** The first one came first. */
  readonly coming: Set<Arrival>
  /** The last one of each id, in their order. */
  readonly cancelled: Map<RequestId, Cancellation>
}

export function createEarlyCancellations(most = mostOfOne): EarlyCancellations {
  const conversations = new Map<string, Conversation>()
  const characters = new Map<string, number>()
  /** Orders messages and cancellations; no two have the same. */
  let order = 0

  function add(principal: string, more: number): void {
    const now = (characters.get(principal) ?? 0) + more
    if (now > 0) characters.set(principal, now)
    else characters.delete(principal)
  }

  function forget({ cancelled }: Conversation, id: RequestId): void {
    const found = cancelled.get(id)
    if (found === undefined) return
    cancelled.delete(id)
    add(found.principal, -sizeOf(id))
  }

  function forgetPast(conversation: Conversation): void {
    const [oldest] = conversation.coming
    for (const [id, { at }] of conversation.cancelled) {
      if (oldest !== undefined && at > oldest.at) return
      forget(conversation, id)
    }
  }

  return {
    comes: (headers) => {
      const name = nameIn(headers)
      if (name === null) return null
      const conversation = conversations.get(name) ?? { coming: new Set(), cancelled: new Map() }
      conversations.set(name, conversation)
      const arrival: Arrival = { at: order++ }
      conversation.coming.add(arrival)
      return {
        isCancelled: (id) => (conversation.cancelled.get(id)?.at ?? -1) > arrival.at,
        done: () => {
          if (!conversation.coming.delete(arrival)) return
          forgetPast(conversation)
          if (conversation.coming.size === 0) conversations.delete(name)
        },
      }
    },
    awaits: (headers, own) => (conversations.get(nameIn(headers) ?? "")?.coming.size ?? 0) > (own === null ? 0 : 1),
    keep: (principal, headers, id) => {
      const conversation = conversations.get(nameIn(headers) ?? "")
      if (conversation === undefined) return true
      forget(conversation, id)
      if ((characters.get(principal) ?? 0) + sizeOf(id) > most) return false
      conversation.cancelled.set(id, { principal, at: order++ })
      add(principal, sizeOf(id))
      return true
    },
  }
}

/** With the credential, whose scheme counts in any case: nobody else's messages count among those of a conversation. */
function nameIn({ "mcp-session-id": id, authorization = "" }: Headers): string | null {
  return typeof id === "string" ? `${id.trim()} ${authorization.replace(/^\S+/, lowerCase)}` : null
}

function lowerCase(text: string): string {
  return text.toLowerCase()
}

function sizeOf(id: RequestId): number {
  return besideId + (typeof id === "string" ? id.length : 0)
}
