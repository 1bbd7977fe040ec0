import { randomBytes } from "node:crypto"
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { type Signer, StoreError } from "@byleave/core"
import { ed25519Signer, newSigningKey } from "@byleave/core/node"

export type Keys = {
  /** Signs the heads of audit chains. */
  readonly signer: Signer
  /** Keys the digests in the audit, so that short arguments cannot be guessed from them. */
  readonly digestKey: string
}

type KeysFile = { readonly version: 1; readonly signingKey: string; readonly digestKey: string }

const fileName = "keys.json"

/** Reads the keys kept in a folder, or makes them. Processes that start together agree on one set. */
export function openKeys(folder: string): Keys {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, fileName)
  if (!existsSync(path)) {
    chmodSync(folder, 0o700)
    create(path)
  }
  return read(path)
}

function create(path: string): void {
  const keys: KeysFile = { version: 1, signingKey: newSigningKey(), digestKey: randomBytes(32).toString("base64") }
  const draft = `${path}.${randomBytes(8).toString("hex")}`
  writeDurably(draft, JSON.stringify(keys))
  try {
    // A link, unlike a rename, never replaces: the first process has made the keys, and the others read those.
    linkSync(draft, path)
  } catch (error) {
    if (!existsSync(path)) throw unusable(path, "cannot be created", error)
  } finally {
    unlinkSync(draft)
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function read(path: string): Keys {
  const file = parse(path)
  if (!isKeysFile(file)) throw unusable(path, "is not a keys file this version knows")
  try {
    return { signer: ed25519Signer(file.signingKey), digestKey: file.digestKey }
  } catch (cause) {
    throw unusable(path, "holds a signing key that does not read", cause)
  }
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch (cause) {
    throw unusable(path, "cannot be read", cause)
  }
}

function isKeysFile(value: unknown): value is KeysFile {
  if (typeof value !== "object" || value === null) return false
  const { version, signingKey, digestKey } = value as { [key: string]: unknown }
  return version === 1 && isText(signingKey) && isText(digestKey)
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== ""
}

function unusable(path: string, problem: string, cause?: unknown): StoreError {
  const advice =
    "Without it the audit cannot be verified: restore it from a copy, or move it away to begin with new keys."
  return new StoreError("corrupt", `The keys file ${path} ${problem}. ${advice}`, { cause })
}
