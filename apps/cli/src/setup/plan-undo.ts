import { existsSync } from "node:fs"
import { editConfig } from "@byleave/formats"
import { fileSyntaxes, takeBack } from "@byleave/formats/clients"
import { readTextFile } from "./client-files.ts"
import { digestOf, type RecordedFile, readBackup, readRecord, type SetupRecord } from "./setup-record.ts"

/** The part of the record that an undo is about, and the texts of its files as they are shown; null: there is none, or it cannot be read. */
export type UndoLook = {
  readonly record: SetupRecord
  readonly texts: ReadonlyMap<string, string | null>
}

/** A file of an undo with its text before and after it; `after` null: nothing is written. */
export type UndoStep = {
  readonly path: string
  readonly client: string
  /** `restored`: byte for byte. `taken-back`: people have edited it since, and their edits stay. */
  readonly how: "restored" | "taken-back" | "removed" | "gone" | "unreadable"
  /** Parts that people changed since in a way that cannot be told apart from setup's; they stay as they are. */
  readonly kept: readonly string[]
  readonly before: string | null
  readonly after: string | null
}

/** Looks at what an undo of this client would be about; null: of all. Writes nothing. */
export function lookAtUndo(data: string, only: string | null): UndoLook {
  const all = readRecord(data)
  const isMeant = ({ client }: { readonly client: string }) => only === null || client === only
  const [files, tokens, servers] = [all.files.filter(isMeant), all.tokens.filter(isMeant), all.servers.filter(isMeant)]
  const config = servers.length === 0 || all.config === null ? [] : [all.config.path]
  const paths = [...files.map(({ path }) => path), ...config]
  return {
    record: { ...all, files, tokens, servers },
    texts: new Map(paths.map((path) => [path, readTextFile(path)])),
  }
}

/** Plans each file's undo from the texts of the look alone. */
export function undoSteps(data: string, { record, texts }: UndoLook): readonly UndoStep[] {
  return record.files.map((file) => undoStep(data, file, texts.get(file.path) ?? null))
}

function undoStep(data: string, file: RecordedFile, before: string | null): UndoStep {
  const { path, client, backup } = file
  const step = (how: UndoStep["how"], after: string | null, kept: readonly string[] = []): UndoStep => ({
    ...{ path, client, how, kept, before, after },
  })
  if (before === null) return step(existsSync(path) ? "unreadable" : "gone", null)
  if (!fileSyntaxes[file.syntax].read(before).ok) return step("unreadable", null)
  if (digestOf(before) === file.after) {
    return backup === null ? step("removed", null) : step("restored", readBackup(data, backup))
  }
  if (backup !== null && before === readBackup(data, backup)) return step("restored", null)
  const { text, kept } = takeBack(before, file.changes, fileSyntaxes[file.syntax])
  return step("taken-back", text, kept)
}

/** The configuration without the servers that no client uses after an undo. `record`: as it is now. */
export function configAfterUndo(data: string, record: SetupRecord, { record: meant, texts }: UndoLook) {
  const isMeant = (server: SetupRecord["servers"][number]) =>
    meant.servers.some(({ name, client }) => name === server.name && client === server.client)
  const rest = record.servers.filter((server) => !isMeant(server))
  const unused = [...new Set(meant.servers.map(({ name }) => name))].filter(
    (name) => !rest.some((each) => each.name === name),
  )
  const { config } = record
  const before = config === null ? null : (texts.get(config.path) ?? null)
  if (config === null || before === null || unused.length === 0) {
    return { path: null, before, after: null, rest, unused }
  }
  const isUntouched = digestOf(before) === config.after && rest.length === 0
  const after = isUntouched ? readBackup(data, config.backup) : withoutServers(before, unused)
  return { path: config.path, before, after, rest, unused }
}

function withoutServers(text: string, names: readonly string[]): string {
  return names.reduce((current, server) => {
    const edited = editConfig(current, [{ kind: "remove-server", server }])
    return edited.ok ? edited.text : current
  }, text)
}
