/**
 * Requests of the panel to the service worker, and the replies. Messages are JSON: they cross a boundary at which Chrome may lose either side.
 *
 * I1. Only pages of this extension are answered.
 */
import type { JsonObject, ToolDefinition } from "@byleave/core"
import type { KeptServer } from "../settings/settings.ts"

export type WorkerReply<Data> =
  | { readonly success: true; readonly data: Data }
  | {
      readonly success: false
      readonly error: string
      /** Nobody can tell whether the server has done it. */
      readonly isUnknown?: true
    }

/**
 * `key`: names one call; it is sent to its server once, and whoever asks for its outcome names it again. `address`: the one that the call was judged
 * for; if its server is at another one by then, nothing is sent.
 */
export type ToolCallPayload = {
  readonly name: string
  readonly arguments: JsonObject
  readonly key: string
  readonly address: string | null
}

/** A tool's result as MCP has it; `isError` is the tool's own. */
export type ToolCallData = JsonObject

export type ListedServer = {
  readonly tools: readonly ToolDefinition[]
  readonly instructions: string | null
  /** As the server calls itself. */
  readonly title: string | null
  /** A picture that it sent along, as a `data:` address. */
  readonly icon: string | null
  /** The address that listed them; null: they are in this extension. */
  readonly address: string | null
}

/** Calls that wait for the person, for the badge and the notification. */
export type WaitingNews = {
  readonly ids: readonly string[]
  /** When the first of them is over; null: none is. */
  readonly firstEnds: number | null
  /** One that has just begun to wait while nobody looked; null: none. */
  readonly arrived: { readonly id: string; readonly words: string } | null
}

/** `connect` opens the connection that a call goes over, and sends no call. `tool/call` is said once for each call; afterwards `tool/outcome` asks. */
export type PanelMessage =
  | { readonly type: `mcp/${string}/connect`; readonly payload: { readonly address: string | null } }
  | { readonly type: `mcp/${string}/tool/call`; readonly payload: ToolCallPayload }
  | { readonly type: `mcp/${string}/tool/outcome`; readonly payload: { readonly key: string } }
  | { readonly type: `mcp/${string}/tool/cancel`; readonly payload: { readonly key: string } }
  | { readonly type: `mcp/${string}/tools/list`; readonly payload: { readonly candidate?: KeptServer } }
  | { readonly type: `mcp/${string}/disconnect`; readonly payload: Record<never, never> }
  | { readonly type: "panel/waiting"; readonly payload: WaitingNews }

export type ServerVerb = "connect" | "tool/call" | "tool/outcome" | "tool/cancel" | "tools/list" | "disconnect"

const ofServer = /^mcp\/([^/]+)\/(connect|tool\/call|tool\/outcome|tool\/cancel|tools\/list|disconnect)$/

/** The server and the verb of a message's type; null: it is about no server. */
export function readType(type: string): { readonly server: string; readonly verb: ServerVerb } | null {
  const [, server, verb] = ofServer.exec(type) ?? []
  if (server === undefined || verb === undefined) return null
  return { server: decodeURIComponent(server), verb: verb as ServerVerb }
}

export function typeOf<Verb extends ServerVerb>(server: string, verb: Verb): `mcp/${string}/${Verb}` {
  return `mcp/${encodeURIComponent(server)}/${verb}`
}

export function isOwnPage(
  sender: chrome.runtime.MessageSender,
  here: { readonly id: string; readonly page: string },
): boolean {
  return sender.id === here.id && sender.url !== undefined && sender.url.split(/[?#]/, 1)[0] === here.page
}
