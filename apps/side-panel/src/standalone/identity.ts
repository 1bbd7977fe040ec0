/** Ids and keys of a panel that stands alone. */
import { portableHasher, type Signer } from "@byleave/core"
import { seal, unseal } from "../settings/keys.ts"

/** A UUID whose first part is the time (version 7). */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const view = new DataView(bytes.buffer)
  const now = Date.now()
  view.setUint32(0, Math.floor(now / 0x1_0000))
  view.setUint16(4, now % 0x1_0000)
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f))
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export type BrowserKeys = { readonly signer: Signer; readonly digestKey: string }

const name = "audit-key"
const purpose = "key of the audit"

/** The key that signs the audit and keys its digests, made once for this browser. */
export async function openKeys(): Promise<BrowserKeys> {
  const { [name]: kept } = await chrome.storage.local.get(name)
  const known = typeof kept === "string" ? await unseal(purpose, kept) : null
  const key = known ?? Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16)).join("")
  if (known === null) await chrome.storage.local.set({ [name]: await seal(purpose, key) })
  const sign = (text: string): string => portableHasher.hmacSha256(key, text)
  const signer = { keyId: sign("key id").slice(0, 16), sign, verify: (text: string, by: string) => sign(text) === by }
  return { signer, digestKey: sign("digests") }
}
