import { isRunPrincipal, type JsonObject, type Principal, type Session } from "@byleave/core"

/** `legacy`: 2024-11-05 to 2025-11-25, opened by `initialize`. `modern`: 2026-07-28, every request says who it is. */
export type Era = "legacy" | "modern"

export type ClientInfo = { readonly name: string; readonly version: string } & JsonObject

/** The client behind a request, as the front knows it. A client's statements about itself tune timing and abilities, never policy. */
export type Caller = {
  readonly principal: Principal
  /** The scope of "for this session" for its calls. */
  readonly session: Session
  /** The front's own name for the conversation: the legacy MCP session, or the principal and session of a modern request. */
  readonly conversation: string
  readonly era: Era
  readonly version: string
  readonly client: ClientInfo | null
  /** The client capabilities as declared, whole: for this session (legacy) or for this request (modern). */
  readonly abilities: JsonObject
  /** The log level a modern request names; a legacy client sets its own once. */
  readonly logLevel?: string
}

/** The party that takes turns at a server: an agent, or an agent run of Byleave's own, though all of these runs are one principal. */
export function shareOf({ principal, session }: Pick<Caller, "principal" | "session">): string {
  return isRunPrincipal(principal.id) ? `${principal.id} ${session.id}` : principal.id
}
