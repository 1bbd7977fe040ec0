import type { webcrypto } from "node:crypto"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { readIfThere, writePrivate } from "../files/private-file.ts"
import { openKey, readSealedKey, sealKey } from "../files/sealed-key.ts"

/** A terminal's key: whose it is, and the private key that signs. */
export type TerminalKey = {
  readonly version: 1
  readonly reviewer: string
  readonly jwk: webcrypto.JsonWebKey
  /** Ids of all devices registered for this terminal, so that new keys can replace them. */
  readonly devices: readonly string[]
}

const clearPath = (data: string) => join(data, "terminal.json")
const sealedPath = (data: string) => join(data, "reviewer-key.json")

/** The key that may look and deny; anyone who can read the folder holds it. */
export function writeClearKey(data: string, key: TerminalKey): void {
  writePrivate(clearPath(data), `${JSON.stringify(key)}\n`)
}

export function readClearKey(data: string): TerminalKey | undefined {
  const text = readIfThere(clearPath(data))
  return text === undefined ? undefined : readKey(text)
}

/** The key that may approve; it takes the PIN to open it. */
export async function writeSealedKey(data: string, key: TerminalKey, pin: string): Promise<void> {
  writePrivate(sealedPath(data), `${JSON.stringify(await sealKey(JSON.stringify(key), pin))}\n`)
}

export function removeSealedKey(data: string): void {
  rmSync(sealedPath(data), { force: true })
}

export function hasSealedKey(data: string): boolean {
  return readIfThere(sealedPath(data)) !== undefined
}

/** Undefined: there is none here. Null: the PIN is another. */
export async function openSealedKey(data: string, pin: string): Promise<TerminalKey | null | undefined> {
  const text = readIfThere(sealedPath(data))
  const sealed = text === undefined ? undefined : readSealedKey(text)
  if (sealed === undefined) return undefined
  const opened = await openKey(sealed, pin)
  return opened === null ? null : (readKey(opened) ?? null)
}

function readKey(text: string): TerminalKey | undefined {
  try {
    const value = JSON.parse(text) as TerminalKey
    return value.version === 1 &&
      typeof value.reviewer === "string" &&
      typeof value.jwk?.d === "string" &&
      Array.isArray(value.devices)
      ? value
      : undefined
  } catch {
    return undefined
  }
}
