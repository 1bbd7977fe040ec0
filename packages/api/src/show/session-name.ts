/**
 * How people know an agent and its session, on the page and at the terminal alike. Agents and clients chose most of these words: whoever
 * shows them marks what they hide, by `ShownName` or `showText`.
 *
 * I1. A client's words cannot pass for another part of a name: the dot between the parts occurs in none of them.
 */
import { callersBehind } from "@byleave/core"
import type { SessionView } from "../views/session-view.ts"

/** The known facts about a session besides its owner. */
export type SessionWords = Pick<SessionView, "label" | "client" | "folder" | "firstCall"> &
  Partial<Pick<SessionView, "runTitle">>

export type SessionRef = { readonly principal: string; readonly id: string; readonly named: boolean }

/**
 * The name somebody gave it; else who works where, and what it began with: `laptop · editor 1.0 in site · began with files(read)`. Of an agent
 * run, its task: `run · Tidy my notes`.
 */
export function sessionName(session: SessionWords | null | undefined, of: SessionRef): string {
  if (session != null && (session.label !== null || session.runTitle != null)) return shortSessionName(session, of)
  const first = session?.firstCall ?? null
  if (first !== null) return `${shortSessionName(session, of)} · began with ${part(first.server)}(${part(first.tool)})`
  const isBare = session?.client == null && folderName(session) === null
  return isBare && of.named ? `${part(of.principal)} · ${part(of.id)}` : shortSessionName(session, of)
}

/** The same where there is little room: without what it began with. */
export function shortSessionName(
  session: Omit<SessionWords, "firstCall"> | null | undefined,
  { principal }: Pick<SessionRef, "principal">,
): string {
  if (session != null && session.label !== null) return session.label
  if (session?.runTitle != null) return `${part(principal)} · ${part(session.runTitle)}`
  const who = agentName(session?.client ?? null, principal)
  const folder = folderName(session)
  return folder === null ? who : `${who} in ${part(folder)}`
}

/** The agent's token and the program it calls itself, each where there is one: `laptop · editor 1.0`. */
function agentName(client: string | null, principal: string): string {
  const token = tokenName(principal)
  if (client === null) return part(principal)
  return token === null ? part(client) : `${part(token)} · ${part(client)}`
}

/** The name that people gave an agent's token; null where it has none, or only the credential that every `byleave wrap` uses. */
export function tokenName(principal: string): string | null {
  const { kind } = callersBehind(principal)
  return kind === "anonymous" || kind === "wrapped" ? null : principal
}

/** Whether the client of a session is there, as far as that can be told. `ago` puts a time into words, such as `3 minutes ago`. */
export function connectionWords(
  { connection, lastSeenAt }: Pick<SessionView, "connection" | "lastSeenAt">,
  ago: (at: number) => string,
): string {
  switch (connection.state) {
    case "connected":
      return "connected"
    case "gone":
      return `disconnected ${ago(connection.since)}`
    case "unknown":
      return lastSeenAt === null ? "not seen recently" : `last seen ${ago(lastSeenAt)}`
  }
}

/** The last part of a folder's path, which tells folders apart; the whole path is in the session's facts. */
export function folderName(session: Pick<SessionWords, "folder"> | null | undefined): string | null {
  const folder = session?.folder ?? ""
  if (folder === "") return null
  return folder.split(/[/\\]/).findLast((name) => name !== "") ?? folder
}

function part(words: string): string {
  return words.replaceAll("·", "•")
}
