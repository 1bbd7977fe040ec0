import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { SetupChange } from "@byleave/formats/clients"
import { readIfThere, writePrivate } from "../files/private-file.ts"

/** A file that setup changed, with what is needed to put it back. */
export type RecordedFile = {
  readonly client: string
  readonly path: string
  readonly syntax: "json" | "toml" | "yaml"
  /** The name of the backup; null: there was no such file. */
  readonly backup: string | null
  /** Folders that had to be made for it, the outermost first. */
  readonly madeFolders: readonly string[]
  /** The digest of the text that setup wrote. */
  readonly after: string
  readonly changes: readonly SetupChange[]
}

/** The record of everything setup has done on this machine, so that it can be undone. */
export type SetupRecord = {
  readonly version: 1
  readonly files: readonly RecordedFile[]
  /** Secrets are kept: a server that is added later needs the same token. */
  readonly tokens: ReadonlyArray<{ readonly client: string; readonly id: string; readonly secret: string }>
  /** Servers that setup added to the configuration, and which clients use them. */
  readonly servers: ReadonlyArray<{ readonly name: string; readonly client: string }>
  /** The configuration before and after it. */
  readonly config: { readonly path: string; readonly backup: string; readonly after: string } | null
}

const emptyRecord: SetupRecord = { version: 1, files: [], tokens: [], servers: [], config: null }

const folderOf = (data: string) => join(data, "setup")
const recordOf = (data: string) => join(folderOf(data), "record.json")

export function readRecord(data: string): SetupRecord {
  const text = readIfThere(recordOf(data))
  if (text === undefined) return emptyRecord
  const record = JSON.parse(text) as SetupRecord
  if (record.version !== 1) throw new Error("A newer Byleave has set agents up here. Update this one.")
  return record
}

export function writeRecord(data: string, record: SetupRecord): void {
  if (record.files.length + record.tokens.length + record.servers.length === 0) {
    rmSync(folderOf(data), { recursive: true, force: true })
    return
  }
  mkdirSync(folderOf(data), { recursive: true, mode: 0o700 })
  writePrivate(recordOf(data), `${JSON.stringify(record, null, 2)}\n`)
}

/** Keeps a text under a name made of its file's path; returns the name. */
export function keepBackup(data: string, path: string, text: string): string {
  const name = `${digestOf(path).slice(0, 12)}-${path.split(/[/\\]/).at(-1) ?? ""}`
  mkdirSync(folderOf(data), { recursive: true, mode: 0o700 })
  writePrivate(join(folderOf(data), name), text)
  return name
}

export function readBackup(data: string, name: string): string {
  return readFileSync(join(folderOf(data), name), "utf8")
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
