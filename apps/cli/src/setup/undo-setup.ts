import { existsSync, readFileSync, rmdirSync, rmSync } from "node:fs"
import { editConfig } from "@byleave/formats"
import { fileSyntaxes, takeBack } from "@byleave/formats/clients"
import { replaceFile } from "../service/config/replace-file.ts"
import { readTextFile } from "./client-files.ts"
import type { SetupHost } from "./setup-host.ts"
import { digestOf, type RecordedFile, readBackup, readRecord, type SetupRecord, writeRecord } from "./setup-record.ts"

export type UndoneFile = {
  readonly path: string
  readonly client: string
  /** `restored`: byte for byte. `taken-back`: people have edited it since, and their edits stay. */
  readonly how: "restored" | "taken-back" | "removed" | "gone" | "unreadable"
  /** Parts that people changed since in a way that cannot be told apart from setup's; they stay as they are. */
  readonly kept: readonly string[]
}

export type Undone = {
  readonly files: readonly UndoneFile[]
  readonly tokens: readonly string[]
  readonly servers: readonly string[]
}

/** The part of the record that a client's undo is about. */
export function recordedFor(record: SetupRecord, only: string | null): SetupRecord {
  const isMeant = ({ client }: { readonly client: string }) => only === null || client === only
  return {
    ...record,
    files: record.files.filter(isMeant),
    tokens: record.tokens.filter(isMeant),
    servers: record.servers.filter(isMeant),
  }
}

/** Undoes this part of what setup did, as it was shown, and nothing that was recorded since. Files first, so that no client is left with an address that nobody answers. */
export async function undoSetup(data: string, meant: SetupRecord, host: SetupHost): Promise<Undone> {
  const files = meant.files.map((file) => undoFile(data, file))
  const done = new Set(files.filter(({ how }) => how !== "unreadable").map(({ path }) => path))
  const record = readRecord(data)
  const left = { ...record, files: record.files.filter(({ path }) => !done.has(path)) }
  writeRecord(data, left)
  const servers = removeServers(data, left, meant, host.config)
  for (const { id } of meant.tokens) await host.revokeToken(id)
  const rest = readRecord(data)
  const gone = new Set(meant.tokens.map(({ id }) => id))
  writeRecord(data, { ...rest, tokens: rest.tokens.filter(({ id }) => !gone.has(id)) })
  return { files, tokens: [...gone], servers }
}

function undoFile(data: string, file: RecordedFile): UndoneFile {
  const { path, client, backup } = file
  const undone = (how: UndoneFile["how"], kept: readonly string[] = []): UndoneFile => ({ path, client, how, kept })
  if (!existsSync(path)) return undone("gone")
  const current = readTextFile(path)
  if (current === null || !fileSyntaxes[file.syntax].read(current).ok) return undone("unreadable")
  if (digestOf(current) === file.after) {
    if (backup !== null) replaceFile(path, readBackup(data, backup))
    else removeFile(file)
    return undone(backup === null ? "removed" : "restored")
  }
  if (backup !== null && current === readBackup(data, backup)) return undone("restored")
  const { text, kept } = takeBack(current, file.changes, fileSyntaxes[file.syntax])
  if (text !== current) replaceFile(path, text)
  return undone("taken-back", kept)
}

function removeFile({ path, madeFolders }: RecordedFile): void {
  rmSync(path)
  for (const folder of madeFolders.toReversed()) {
    try {
      rmdirSync(folder)
    } catch {
      // Something else is in it now.
      return
    }
  }
}

/** Servers that no client uses any more leave the configuration. */
function removeServers(data: string, record: SetupRecord, meant: SetupRecord, path: string): readonly string[] {
  const isMeant = (server: SetupRecord["servers"][number]) =>
    meant.servers.some(({ name, client }) => name === server.name && client === server.client)
  const rest = record.servers.filter((server) => !isMeant(server))
  const unused = [...new Set(meant.servers.map(({ name }) => name))].filter(
    (name) => !rest.some((each) => each.name === name),
  )
  const config = record.config ?? null
  const file = config?.path ?? path
  if (unused.length > 0 && existsSync(file)) {
    const current = readFileSync(file, "utf8")
    const isUntouched = config !== null && digestOf(current) === config.after && rest.length === 0
    const next = isUntouched ? readBackup(data, config.backup) : withoutServers(current, unused)
    if (next !== current) replaceFile(file, next)
  }
  writeRecord(data, { ...record, servers: rest, config: rest.length === 0 ? null : config })
  return unused
}

function withoutServers(text: string, names: readonly string[]): string {
  return names.reduce((current, server) => {
    const edited = editConfig(current, [{ kind: "remove-server", server }])
    return edited.ok ? edited.text : current
  }, text)
}
