/** The settings of the panel. Secrets in them are sealed. */
import { type Sealed, seal, unseal } from "./keys.ts"

/** A server that is reached by its address. */
export type KeptServer = {
  readonly id: string
  readonly url: string
  /** Header names and values as JSON, sealed; null: none. */
  readonly headers: Sealed | null
  readonly addedAt: number
}

/** A model behind an OpenAI-compatible address. */
export type KeptModel = { readonly url: string; readonly model: string; readonly key: Sealed | null }

export type PanelSettings = {
  readonly servers: readonly KeptServer[]
  readonly model: KeptModel | null
  /** A service that this browser is paired with; null: the panel stands alone. */
  readonly pairedWith: string | null
}

/** The database of the standalone panel. */
export const storeName = "byleave"

const name = "settings"
const nothingSet: PanelSettings = { servers: [], model: null, pairedWith: null }

export async function readSettings(): Promise<PanelSettings> {
  const { [name]: kept } = await chrome.storage.local.get(name)
  return { ...nothingSet, ...(kept as Partial<PanelSettings> | undefined) }
}

/** One change after the other: two pages of the panel may be open. */
export async function changeSettings(change: (before: PanelSettings) => PanelSettings): Promise<PanelSettings> {
  return whileUnchanged(async (before) => {
    const next = change(before)
    await chrome.storage.local.set({ [name]: next })
    return next
  })
}

/** Does something by the settings as they are; nobody changes them meanwhile. */
export async function whileUnchanged<Result>(work: (settings: PanelSettings) => Promise<Result>): Promise<Result> {
  return navigator.locks.request("byleave-settings", async () => work(await readSettings()))
}

export function followSettings(listener: (settings: PanelSettings) => void): () => void {
  const changed = (changes: Record<string, chrome.storage.Change>, area: string): void => {
    if (area === "local" && name in changes) void readSettings().then(listener)
  }
  chrome.storage.onChanged.addListener(changed)
  return () => chrome.storage.onChanged.removeListener(changed)
}

export type Headers = Readonly<Record<string, string>>

export async function sealHeaders(server: string, headers: Headers): Promise<Sealed | null> {
  return Object.keys(headers).length === 0 ? null : seal(`headers of ${server}`, JSON.stringify(headers))
}

/** Null: they cannot be read any more. */
export async function headersOf({ id, headers }: KeptServer): Promise<Headers | null> {
  if (headers === null) return {}
  const text = await unseal(`headers of ${id}`, headers)
  return text === null ? null : (JSON.parse(text) as Headers)
}

const modelPurpose = "key of the model"

export async function sealModelKey(key: string): Promise<Sealed | null> {
  return key === "" ? null : seal(modelPurpose, key)
}

export async function modelKeyOf({ key }: KeptModel): Promise<string | null> {
  return key === null ? null : unseal(modelPurpose, key)
}

/** The pattern by which Chrome is asked for an origin. */
export function originPattern(url: string): string {
  const { protocol, hostname } = new URL(url)
  return `${protocol}//${hostname}/*`
}
