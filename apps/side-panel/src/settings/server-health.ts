/** How a server fared last. Kept while the browser runs; when it was last reached is kept for longer. */
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
  const after = { ...unknown, ...before, ...news }
  await chrome.storage.local.set({ [prefix + server]: after })
}

export async function healthOf(server: string): Promise<KeptHealth | null> {
  const { [prefix + server]: kept } = await chrome.storage.local.get(prefix + server)
  return (kept as KeptHealth | undefined) ?? null
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
