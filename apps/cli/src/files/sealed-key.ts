import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto"

/** A secret that only the PIN opens. The cost of guessing stands beside it, so that it can be raised later. */
export type SealedKey = {
  readonly version: 1
  readonly kdf: {
    readonly name: "scrypt"
    readonly N: number
    readonly r: number
    readonly p: number
    readonly salt: string
  }
  readonly iv: string
  readonly tag: string
  readonly sealed: string
}

const cost = { N: 2 ** 17, r: 8, p: 1 } as const

export async function sealKey(secret: string, pin: string): Promise<SealedKey> {
  const salt = randomBytes(16)
  const iv = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", await stretch(pin, salt, cost), iv)
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()])
  return {
    version: 1,
    kdf: { name: "scrypt", ...cost, salt: salt.toString("base64") },
    iv: iv.toString("base64"),
    tag: cipher.getAuthTag().toString("base64"),
    sealed: sealed.toString("base64"),
  }
}

/** Null when the PIN is another, or the file was changed. */
export async function openKey(key: SealedKey, pin: string): Promise<string | null> {
  const bytes = (text: string) => Buffer.from(text, "base64")
  const secret = await stretch(pin, bytes(key.kdf.salt), key.kdf)
  try {
    const decipher = createDecipheriv("aes-256-gcm", secret, bytes(key.iv), { authTagLength: 16 })
    decipher.setAuthTag(bytes(key.tag))
    return Buffer.concat([decipher.update(bytes(key.sealed)), decipher.final()]).toString("utf8")
  } catch {
    return null
  }
}

/** Undefined for what is no sealed key, or asks for a cost nobody would have written. */
export function readSealedKey(text: string): SealedKey | undefined {
  try {
    const value = JSON.parse(text) as SealedKey
    const texts = [value.iv, value.tag, value.sealed, value.kdf.salt]
    const { N, r, p } = value.kdf
    const isSane = value.version === 1 && value.kdf.name === "scrypt" && N <= 2 ** 20 && r <= 16 && p <= 4
    return isSane && texts.every((part) => typeof part === "string") ? value : undefined
  } catch {
    return undefined
  }
}

type Cost = { readonly N: number; readonly r: number; readonly p: number }

/** Slow on purpose: 128 MiB and most of a second. */
export function stretch(pin: string, salt: Buffer, { N, r, p }: Cost = cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N, r, p, maxmem: 256 * N * r }
    scrypt(pin.normalize("NFC"), salt, 32, options, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}
