/**
 * How a server fared last. Kept while the browser runs; when it was last reached is kept for longer.
 *
 * I1. The words of a server are kept and given cut, also those that were kept whole before: one server fills neither the browser's storage nor a page.
 */
import { shortWords } from "../wire/short-words.ts"

export type KeptHealth = {
  readonly state: "connected" | "failing"
  readonly lastConnectedAt: number | null
  readonly lastError: string | null
  readonly title: string | null
  readonly icon: string | null
}

const prefix = "health:"

export async function noteHealth(server: string, news: Partial<KeptHealth>): Promise<void> {
  const before = await healthOf(server)
  const after = bounded({ ...unknown, ...before, ...news })
  await chrome.storage.local.set({ [prefix + server]: after })
}

export async function healthOf(server: string): Promise<KeptHealth | null> {
  const { [prefix + server]: kept } = await chrome.storage.local.get(prefix + server)
  if (kept === undefined) return null
  const whole = kept as KeptHealth
  const health = bounded(whole)
  const isCut = health.lastError !== whole.lastError || health.title !== whole.title || health.icon !== whole.icon
  if (isCut) await chrome.storage.local.set({ [prefix + server]: health })
  return health
}

export async function forgetHealth(server: string): Promise<void> {
  await chrome.storage.local.remove(prefix + server)
}

export function followHealth(listener: () => void): () => void {
  const changed = (changes: Record<string, chrome.storage.Change>): void => {
    if (Object.keys(changes).some((key) => key.startsWith(prefix))) listener()
  }
  chrome.storage.onChanged.addListener(changed)
  return () => chrome.storage.onChanged.removeListener(changed)
}

const unknown: KeptHealth = { state: "failing", lastConnectedAt: null, lastError: null, title: null, icon: null }

const mostIcon = 64_000
const mostTitle = 200

function bounded(health: KeptHealth): KeptHealth {
  const { lastError, title, icon } = health
  return {
    ...health,
    lastError: lastError === null ? null : shortWords(lastError),
    title: title === null ? null : shortWords(title, mostTitle),
    icon: icon !== null && icon.length <= mostIcon ? icon : null,
  }
}
