import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { type JsonObject, readStoredJson } from "@byleave/core"
import type { Sealer } from "@byleave/gateway"
import type { Documents } from "./gateway/documents.ts"

const ivBytes = 12
const tagBytes = 16

/** Seals with a key that the store keeps, so that a restart and every replica can open what any of them sealed. */
export async function openSealer(documents: Documents): Promise<Sealer> {
  const kept = await documents.keep("key", "seal", () => ({ version: 1, key: randomBytes(32).toString("base64") }))
  const key = Buffer.from(String(kept.key), "base64")
  if (key.length !== 32) throw new Error("This version does not recognize the sealing key in the store.")
  return createSealer(key)
}

export function createSealer(key: Buffer): Sealer {
  return {
    seal: (value) => {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv("aes-256-gcm", key, iv)
      const sealed = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url")
    },
    open: (text) => {
      const bytes = Buffer.from(text, "base64url")
      // Node reads base64 generously; only the spelling we gave is ours.
      if (bytes.length < ivBytes + tagBytes || bytes.toString("base64url") !== text) return null
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
        decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
        const opened = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()])
        return readStoredJson(opened.toString("utf8")) as JsonObject
      } catch {
        return null
      }
    },
  }
}
