import type { ToolDefinition } from "./definition/tool-definition.ts"
import type { JsonObject } from "./json/json.ts"

/** Milliseconds since the epoch, as the composition's clock says. */
export type EpochMs = number

/** A tool is known by both names, never by its own alone; shown as `server(tool)`. */
export type ToolRef = { readonly server: string; readonly tool: string }

/** The agent that calls, known by its credential. `owner` is the person its token belongs to, if any. */
export type Principal = { readonly id: string; readonly owner?: string }

/**
 * The credential of a principal. A program names the agents it asks for, `credential:agent`, and may name as many as it likes; so limits that protect
 * people and other agents count by the credential. No credential has a colon in its name.
 */
export function credentialOf(principal: string): string {
  const end = principal.indexOf(":")
  return end === -1 ? principal : principal.slice(0, end)
}

/**
 * The scope of "for this session". `named` is false where nothing but the principal identifies the session; then people
 * are offered "for 30 minutes" instead.
 */
export type Session = { readonly principal: string; readonly id: string; readonly named: boolean }

/**
 * The definition of the tool on the caller's own connection, and the server program behind that connection. Connections to one server may list
 * different definitions, so a call is judged by its own connection and not by the last listing of any.
 */
export type ListedTool = { readonly definition?: ToolDefinition; readonly program?: ToolDefinition }

/**
 * The connection to its server that a call goes over. `isOwn`: no other conversation uses it, so that what the server remembers of it is its own. `hasRoots`: the
 * agent tells the server by it which folders to work in, and the server may take relative paths to start there.
 */
export type CallConnection = { readonly isOwn: boolean; readonly hasRoots: boolean }

export type Call = {
  /** The kind of thing that `tool.tool` names; a tool if absent. */
  readonly kind?: "tool" | "resource" | "prompt" | "sampling" | "elicitation" | "roots" | "method"
  readonly tool: ToolRef
  readonly args: JsonObject
  /** The other params that go to the server with the arguments, such as `_meta` and `inputResponses`. Absent: none do. */
  readonly extraParams?: JsonObject
  /** The names of params that nobody knows and that were left out, where policy lets them be. */
  readonly droppedParams?: readonly string[]
  /** Absent: the caller has no connection of its own, and the server's last listing counts. */
  readonly listed?: ListedTool
  /** Absent: one that everybody shares, by which no agent says anything of itself. */
  readonly connection?: CallConnection
  readonly principal: Principal
  readonly session: Session
}

/** Whether nothing but its principal identifies a session: then it outlives every start of the agent, which may have other sessions beside it. */
export function isOnlyPrincipal({ principal, id, named }: Session): boolean {
  return !named || id === principal
}

const plainName = /^[\w.:@/-]*$/

type SessionName = { readonly principal: string; readonly id: string }

let newest: SessionName | null = null
let newestKey = ""

/**
 * Session identity as one string, safe as a map key: ids are chosen by agents and may contain anything. Every step of a call asks for that of the same
 * session, so the newest is kept.
 */
export function sessionKey(session: SessionName): string {
  if (session !== newest) {
    newestKey = keyOf(session)
    newest = session
  }
  return newestKey
}

function keyOf({ principal, id }: SessionName): string {
  // The same text JSON.stringify gives, four times as fast for the names most sessions have.
  if (plainName.test(principal) && plainName.test(id)) return `["${principal}","${id}"]`
  return JSON.stringify([principal, id])
}

/** A tool's identity as one string, safe as a map key: `server(tool)` can be read in two ways where names hold parentheses. */
export function toolKey(tool: ToolRef): string {
  return `${tool.server.length}:${tool.server}${tool.tool}`
}

/** `server(tool)` with the names as they are. */
export function toolName(tool: ToolRef): string {
  return `${tool.server}(${tool.tool})`
}
