import type { SessionView } from "@byleave/api"

type Known = Pick<SessionView, "label" | "client" | "folder" | "firstCall">

/** A session in words a person recognises: what people call it, else who works where and began with what. */
export function sessionName(
  session: Known | undefined,
  asked: { readonly principal: string; readonly id: string; readonly named: boolean },
): string {
  if (session !== undefined && session.label !== null) return session.label
  const parts = session === undefined ? [] : [session.client, lastFolder(session.folder), firstWords(session.firstCall)]
  const words = parts.filter((part) => part !== null && part !== "")
  if (words.length > 0) return words.join(" · ")
  return asked.named ? `${asked.principal} · ${asked.id}` : asked.principal
}

/** The whole folder is in the session's page; here its last part tells it apart. */
function lastFolder(folder: string | null): string | null {
  return folder?.split(/[/\\]/).findLast((part) => part !== "") ?? folder
}

function firstWords(tool: Known["firstCall"]): string | null {
  return tool === null ? null : `began with ${tool.server}(${tool.tool})`
}
