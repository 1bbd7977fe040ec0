import { isRunPrincipal, type JsonObject, type Principal, type Session } from "@byleave/core"

/** `legacy`: 2024-11-05 to 2025-11-25, opened by `initialize`. `modern`: 2026-07-28, every request says who it is. */
export type Era = "legacy" | "modern"

export type ClientInfo = { readonly name: string; readonly version: string } & JsonObject

/** Whoever asks, as the front knows it. What a client says of itself tunes timing and abilities, never policy. */
export type Caller = {
  readonly principal: Principal
  /** What "for this session" means for its calls. */
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

/** Who takes turns at a server: agents, and each agent run of Byleave's own, though all of these are one principal. */
export function shareOf({ principal, session }: Pick<Caller, "principal" | "session">): string {
  return isRunPrincipal(principal.id) ? `${principal.id} ${session.id}` : principal.id
}
