import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { editConfig } from "@byleave/formats"
import { fileSyntaxes, takeBack } from "@byleave/formats/clients"
import { writePrivate } from "../files/private-file.ts"
import { replaceFile } from "../service/config/replace-file.ts"
import { readTextFile } from "./client-files.ts"
import { editsOf, type FileEdit, type ServerMove, type SetupPlan } from "./plan-setup.ts"
import { type SetupHost, SetupRefused } from "./setup-host.ts"
import { digestOf, keepBackup, type RecordedFile, readRecord, type SetupRecord, writeRecord } from "./setup-record.ts"

/** Gives every client that needs one a token of its own. Returns secrets by client. */
export async function provideTokens(
  data: string,
  clients: readonly string[],
  host: SetupHost,
): Promise<ReadonlyMap<string, string>> {
  for (const client of clients) {
    const record = readRecord(data)
    if (record.tokens.some((token) => token.client === client)) continue
    const added = await firstFree(client, host)
    writeRecord(data, { ...record, tokens: [...record.tokens, { client, ...added }] })
  }
  return new Map(readRecord(data).tokens.map(({ client, secret }) => [client, secret]))
}

const mostNames = 20

async function firstFree(client: string, host: SetupHost) {
  for (let number = 1; number <= mostNames; number++) {
    const added = await host.addToken(number === 1 ? client : `${client}-${number}`)
    if (added !== null) return added
  }
  throw new SetupRefused(`There are ${mostNames} tokens for ${client} already. Revoke some with byleave tokens revoke.`)
}

/** Moves servers into the configuration, and has the service take them up; puts the configuration back where it does not. */
export async function moveServers(data: string, moves: readonly ServerMove[], host: SetupHost): Promise<void> {
  if (moves.length === 0) return
  const before = readFileSync(host.config, "utf8")
  const unique = [...new Map(moves.map((move) => [move.name, move])).values()]
  const edited = editConfig(
    before,
    unique.map(({ name, entry }) => ({ kind: "add-server", server: name, entry })),
  )
  if (!edited.ok) throw new SetupRefused(`${host.config} cannot be changed: ${edited.refusal.message}`)
  const record = readRecord(data)
  const used = moves.map(({ name, client }) => ({ name, client }))
  const config = nextConfig(data, record, host.config, before, edited.text)
  writeRecord(data, { ...record, servers: [...record.servers, ...used], config })
  if (!replaceFile(host.config, edited.text, before)) throw hasChanged(host.config)
  const problem = await host.acceptServers(unique)
  if (problem === null) return
  replaceFile(host.config, before, edited.text)
  writeRecord(data, record)
  throw new SetupRefused(problem)
}

/** A configuration that nobody has edited since keeps its first backup. */
function nextConfig(
  data: string,
  record: SetupRecord,
  path: string,
  before: string,
  after: string,
): SetupRecord["config"] {
  const { config } = record
  const backup =
    config?.path === path && config.after === digestOf(before) ? config.backup : keepBackup(data, path, before)
  return { path, backup, after: digestOf(after) }
}

/** Writes the files of a plan, each with its backup first. Throws where one has changed since it was read, before it is touched. */
export function writeEdits(data: string, plan: SetupPlan): readonly string[] {
  checkUnchanged(plan)
  const edits = editsOf(plan)
  for (const edit of edits) writeEdit(data, edit)
  return edits.map(({ path }) => path)
}

/** A person said yes to what was shown: a file that says something else since then needs another yes. */
export function checkUnchanged(plan: SetupPlan): void {
  for (const edit of editsOf(plan)) checkEdit(edit)
  const { leadsOut } = plan.from.options
  for (const { found, edit, allow } of plan.files) {
    const ofProject = [found.file.root === "project" && edit, found.file.allow?.root === "project" && allow?.edit]
    for (const each of ofProject) if (each && leadsOut(each.path)) throw hasChanged(each.path)
  }
}

function checkEdit({ path, before }: FileEdit): void {
  if (readTextFile(path) !== before) throw hasChanged(path)
}

function hasChanged(path: string): SetupRefused {
  return new SetupRefused(
    `${path} has changed since the difference was shown. Nothing was written to it; run setup again.`,
  )
}

function writeEdit(data: string, edit: FileEdit): void {
  const record = readRecord(data)
  const old = record.files.find(({ path }) => path === edit.path)
  const others = record.files.filter(({ path }) => path !== edit.path)
  const madeFolders = edit.before === null ? missingFolders(dirname(edit.path)) : (old?.madeFolders ?? [])
  const recorded: RecordedFile = {
    ...{ client: edit.client.id, path: edit.path, syntax: edit.syntax, madeFolders },
    ...{ backup: backupOf(data, edit, old), after: digestOf(edit.after) },
    changes: [...(old?.changes ?? []), ...edit.changes],
  }
  writeRecord(data, { ...record, files: [...others, recorded] })
  checkEdit(edit)
  if (edit.before !== null) {
    if (!replaceFile(edit.path, edit.after, edit.before)) throw hasChanged(edit.path)
  } else {
    mkdirSync(dirname(edit.path), { recursive: true })
    writePrivate(edit.path, edit.after)
  }
}

/** The text to go back to: what people have added since an earlier setup is kept in it. */
function backupOf(data: string, edit: FileEdit, old: RecordedFile | undefined): string | null {
  if (edit.before === null) return null
  if (old === undefined) return keepBackup(data, edit.path, edit.before)
  if (old.after === digestOf(edit.before)) return old.backup
  return keepBackup(data, edit.path, takeBack(edit.before, old.changes, fileSyntaxes[edit.syntax]).text)
}

function missingFolders(folder: string): readonly string[] {
  return existsSync(folder) ? [] : [...missingFolders(dirname(folder)), folder]
}
