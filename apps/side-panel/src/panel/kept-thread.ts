import { endLeftGrants } from "./end-left-grants.ts"
import type { PanelBackend } from "./panel-client.ts"

/** The name under which the browser keeps, until it is closed, the thread that is open. */
export function keptThreadName(kind: PanelBackend["kind"]): string {
  return `thread:${kind}`
}

/** For a panel that turns to another Byleave: none of this one's threads stays open. What cannot be ended now ends when the panel comes back. */
export async function leaveThreads({ kind, client }: PanelBackend): Promise<void> {
  const name = keptThreadName(kind)
  const { [name]: kept } = await chrome.storage.session.get(name)
  await chrome.storage.session.remove(name)
  const visited = new Set(typeof kept === "string" ? [kept] : [])
  await endLeftGrants(client, null, visited).catch(() => undefined)
}
