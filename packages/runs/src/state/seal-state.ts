/**
 * A state as one text: packed, then sealed with AES-256-GCM.
 *
 * I1. Nothing of the body is read before the seal has proved whole, and with it who and what the state belongs to.
 * I2. What unpacks to more than it may is given up while it unpacks.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto"
import { gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from "node:zlib"
import { asObject, isRunPrincipal, type RunPrincipal, type StateRefusal } from "@byleave/core"
import { stateRefusal } from "./state-refusal.ts"

/** `gzip`: level 6 and base64, for programs that know no zstd. */
export type StateFormat = "zstd" | "gzip"

/** Readable without the key, and authenticated by the seal. */
export type StateHead = {
  /** Names this state, which is good for one import. */
  readonly state: string
  readonly principal: RunPrincipal
  /** The run as it was called where it was exported, and its version there. */
  readonly run: string
  readonly version: number
  /** The run was not exported: the text leads back to it, as long as nothing has happened to it, and is not imported anywhere. */
  readonly isSession?: true
}

export type OpenedState =
  | { readonly ok: true; readonly head: StateHead; readonly text: string }
  | { readonly ok: false; readonly refusal: StateRefusal }

const stateVersion = 1
const oldestVersion = 1
const mark = "byleave-run"
const ivBytes = 12
const tagBytes = 16

/** Gives the key that seals states, from a secret of any length. */
export function stateKeyFrom(secret: string | Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "byleave run state", 32))
}

/** Tells a sealed state from the plain id of a run. */
export function isSealedState(text: string): boolean {
  return text.startsWith(`${mark}.`)
}

export function sealState(head: StateHead, text: string, key: Uint8Array, format: StateFormat): string {
  const clear = JSON.stringify({ ...head, format, key: keyName(key) })
  const opening = `${mark}.${stateVersion}.${Buffer.from(clear).toString("base64url")}`
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(opening))
  const sealed = [iv, cipher.update(pack(text, format)), cipher.final()]
  return `${opening}.${Buffer.concat([...sealed, cipher.getAuthTag()]).toString(lettersOf(format))}`
}

export function openState(
  sealed: string,
  key: Uint8Array,
  most: { readonly text: number; readonly unpacked: number },
): OpenedState {
  if (sealed.length > most.text) return refused("state-too-large")
  const parts = sealed.trim().split(".")
  const [found, version = "", clear = "", body = ""] = parts
  if (found !== mark || parts.length !== 4 || !/^\d{1,9}$/.test(version)) return refused("state-malformed")
  if (Number(version) > stateVersion) return refused("state-too-new")
  if (Number(version) < oldestVersion) return refused("state-too-old")
  const read = readHead(clear)
  if (read === null) return refused("state-malformed")
  if (read.key !== keyName(key)) return refused("state-foreign")
  const packed = unseal(Buffer.from(body, lettersOf(read.format)), `${mark}.${version}.${clear}`, key)
  if (packed === null) return refused("state-tampered")
  try {
    return { ok: true, head: read.head, text: unpack(packed, read.format, most.unpacked) }
  } catch (cause) {
    return refused(isTooLarge(cause) ? "state-bomb" : "state-malformed")
  }
}

function pack(text: string, format: StateFormat): Buffer {
  return format === "gzip" ? gzipSync(text, { level: 6 }) : zstdCompressSync(text)
}

function unpack(packed: Buffer, format: StateFormat, maxOutputLength: number): string {
  const bytes =
    format === "gzip" ? gunzipSync(packed, { maxOutputLength }) : zstdDecompressSync(packed, { maxOutputLength })
  return bytes.toString("utf8")
}

function unseal(sealed: Buffer, opening: string, key: Uint8Array): Buffer | null {
  if (sealed.length < ivBytes + tagBytes) return null
  const iv = sealed.subarray(0, ivBytes)
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: tagBytes })
    .setAAD(Buffer.from(opening))
    .setAuthTag(sealed.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()])
  } catch {
    // The only thing that can go wrong here: the seal does not fit.
    return null
  }
}

function readHead(clear: string): { head: StateHead; format: StateFormat; key: string } | null {
  const value = parse(Buffer.from(clear, "base64url").toString("utf8"))
  const { state, principal, run, version, format, key, isSession } = value ?? {}
  const isHead =
    typeof state === "string" &&
    typeof principal === "string" &&
    isRunPrincipal(principal) &&
    typeof run === "string" &&
    typeof version === "number" &&
    (format === "zstd" || format === "gzip") &&
    typeof key === "string"
  if (!isHead) return null
  return { head: { state, principal, run, version, ...(isSession === true ? { isSession } : {}) }, format, key }
}

function parse(text: string): ReturnType<typeof asObject> {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Tells keys apart without telling anything of them. */
function keyName(key: Uint8Array): string {
  return createHmac("sha256", key).update("name of this key").digest("base64url").slice(0, 11)
}

function lettersOf(format: StateFormat): "base64" | "base64url" {
  return format === "gzip" ? "base64" : "base64url"
}

function isTooLarge(cause: unknown): boolean {
  return cause instanceof RangeError && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE"
}

function refused(code: StateRefusal["code"]): OpenedState {
  return { ok: false, refusal: stateRefusal(code) }
}
