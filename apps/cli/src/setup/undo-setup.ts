/**
 * Puts back what setup changed.
 *
 * I1. What is put back is made from the texts that were shown; a file that has changed since is refused, before any is written.
 */
import { rmdirSync, rmSync } from "node:fs"
import { replaceFile } from "../service/config/replace-file.ts"
import { readTextFile } from "./client-files.ts"
import { configAfterUndo, type UndoLook, type UndoStep, undoSteps } from "./plan-undo.ts"
import { type SetupHost, SetupRefused } from "./setup-host.ts"
import { type RecordedFile, readRecord, type SetupRecord, writeRecord } from "./setup-record.ts"

export type Undone = {
  readonly files: ReadonlyArray<Pick<UndoStep, "path" | "client" | "how" | "kept">>
  readonly tokens: readonly string[]
  readonly servers: readonly string[]
}

/** Undoes what was shown, and nothing that was recorded since. Files first, so that no client is left with an address that nobody answers. */
export async function undoSetup(data: string, shown: UndoLook, host: Pick<SetupHost, "revokeToken">): Promise<Undone> {
  const { record: meant, texts } = shown
  for (const [path, text] of texts) if (readTextFile(path) !== text) throw changedSince(path)
  const steps = undoSteps(data, shown)
  for (const step of steps) putBack(step, meant.files)
  const done = new Set(steps.filter(({ how }) => how !== "unreadable").map(({ path }) => path))
  const record = readRecord(data)
  const left = { ...record, files: record.files.filter(({ path }) => !done.has(path)) }
  writeRecord(data, left)
  const servers = removeServers(data, left, shown)
  for (const { id } of meant.tokens) await host.revokeToken(id)
  const rest = readRecord(data)
  const gone = new Set(meant.tokens.map(({ id }) => id))
  writeRecord(data, { ...rest, tokens: rest.tokens.filter(({ id }) => !gone.has(id)) })
  const files = steps.map(({ path, client, how, kept }) => ({ path, client, how, kept }))
  return { files, tokens: [...gone], servers }
}

function changedSince(path: string): SetupRefused {
  return new SetupRefused(`${path} has changed since it was shown. Nothing was written to it; run the undo again.`)
}

function putBack({ path, how, before, after }: UndoStep, recorded: readonly RecordedFile[]): void {
  if (how === "removed") {
    rmSync(path)
    removeFolders(recorded.find((file) => file.path === path)?.madeFolders ?? [])
  } else if (after !== before && after !== null && !replaceFile(path, after, before)) throw changedSince(path)
}

function removeFolders(made: readonly string[]): void {
  for (const folder of made.toReversed()) {
    try {
      rmdirSync(folder)
    } catch {
      // Something else is in it now.
      return
    }
  }
}

/** Servers that no client uses any more leave the configuration. */
function removeServers(data: string, record: SetupRecord, shown: UndoLook): readonly string[] {
  const { path, before, after, rest, unused } = configAfterUndo(data, record, shown)
  if (path !== null && before !== null && after !== null && after !== before) {
    if (!replaceFile(path, after, before)) throw changedSince(path)
  }
  writeRecord(data, { ...record, servers: rest, config: rest.length === 0 ? null : record.config })
  return unused
}
