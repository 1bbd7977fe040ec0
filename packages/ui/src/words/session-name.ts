import type { SessionView } from "@byleave/api"

/** What is known of a session besides whose it is. */
export type SessionWords = Pick<SessionView, "label" | "client" | "folder" | "firstCall">

export type SessionRef = { readonly principal: string; readonly id: string; readonly named: boolean }

/**
 * What people call a session: the name somebody gave it, else who works where and what it began with, such as `editor 1.0 in site · began with files(read)`.
 * Agents and clients chose these words: whoever shows them uses `ShownName`.
 */
export function sessionName(session: SessionWords | null | undefined, of: SessionRef): string {
  if (session != null && session.label !== null) return session.label
  const first = session?.firstCall ?? null
  if (first !== null) return `${shortSessionName(session, of)} · began with ${first.server}(${first.tool})`
  const isBare = session?.client == null && lastFolder(session) === null
  return isBare && of.named ? `${of.principal} · ${of.id}` : shortSessionName(session, of)
}

/** The same where there is little room: without what it began with. */
export function shortSessionName(
  session: Omit<SessionWords, "firstCall"> | null | undefined,
  { principal }: Pick<SessionRef, "principal">,
): string {
  if (session != null && session.label !== null) return session.label
  const who = session?.client ?? principal
  const folder = lastFolder(session)
  return folder === null ? who : `${who} in ${folder}`
}

/** The whole folder is in the session's page; here its last part tells it apart. */
function lastFolder(session: Pick<SessionWords, "folder"> | null | undefined): string | null {
  const folder = session?.folder ?? ""
  if (folder === "") return null
  return folder.split(/[/\\]/).findLast((part) => part !== "") ?? folder
}
