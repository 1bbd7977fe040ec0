/**
 * Calls that wait in the service this browser is paired with, for while the panel is closed.
 *
 * I1. It asks with the browser's own key, and only how many wait: nothing here can decide.
 */
import { signProof } from "@byleave/api/page"
import { keptDeviceKey } from "../paired/device-key.ts"
import type { WaitingNews } from "../wire/messages.ts"

const patienceMs = 10_000
const most = 100
const known = "paired-waiting"

type Waiting = {
  readonly id: string
  readonly tool: { readonly server: string; readonly tool: string }
  readonly expiresAt?: number | null
}

/** Null: the service cannot be reached, or does not answer this browser. */
export async function pairedWaiting(service: string): Promise<WaitingNews | null> {
  const items = await askService(service)
  if (items === null) return null
  const { [known]: before } = await chrome.storage.session.get(known)
  await chrome.storage.session.set({ [known]: items.map(({ id }) => id) })
  const arrived = Array.isArray(before) ? items.find(({ id }) => !before.includes(id)) : undefined
  const ends = items.flatMap(({ expiresAt }) => (typeof expiresAt === "number" ? [expiresAt] : []))
  return {
    ids: items.map(({ id }) => id),
    firstEnds: ends.length === 0 ? null : Math.min(...ends),
    arrived:
      arrived === undefined
        ? null
        : { id: arrived.id, words: `${arrived.tool.server}(${arrived.tool.tool}) needs your approval.` },
  }
}

async function askService(service: string): Promise<readonly Waiting[] | null> {
  const key = await keptDeviceKey()
  if (key === null) return null
  const url = `${service}/api/approvals?principal=chat&status=pending&limit=${most}`
  try {
    const dpop = await signProof({ key, method: "GET", url, body: "", now: Date.now() })
    const reply = await fetch(url, { headers: { dpop }, signal: AbortSignal.timeout(patienceMs) })
    if (!reply.ok) return null
    const { items } = (await reply.json()) as { readonly items: readonly Waiting[] }
    return items
  } catch {
    return null
  }
}
