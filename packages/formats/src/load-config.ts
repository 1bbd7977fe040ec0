import { type Hasher, serverPolicyOf } from "@byleave/core"
import type { Config, ConfigFormat, LoadResult, Transport } from "./config.ts"
import { policyVersion } from "./policy-version.ts"
import { type ConfigProblem, createReport } from "./problem.ts"
import { type Environment, hasReference } from "./read/environment.ts"
import { given, readMap } from "./read/fields.ts"
import { byleaveKeys, readByleave } from "./read/read-byleave.ts"
import { type Reading, withReferences } from "./read/reading.ts"
import { readClientServers } from "./read/servers/read-client-servers.ts"
import { perServerKeys, readPerServer } from "./read/servers/read-per-server.ts"
import { reportUnmatchedServers } from "./read/servers/unmatched-servers.ts"
import type { ConfigDraft } from "./text/draft.ts"
import { readTree } from "./text/read-tree.ts"
import type { MapNode } from "./text/tree.ts"

export type LoadOptions = {
  /** The file's name, for messages. */
  readonly name: string
  /** Where the file is; relative paths in it start there. Absolute. */
  readonly folder: string
  readonly env: Environment
  /** The folder that a leading `~` stands for. */
  readonly home?: string
  readonly hasher: Hasher
  /** The text of a template file, by its absolute path; null: it cannot be read. Without it, none can. */
  readonly readTemplate?: (path: string) => string | null
  /** `policy`: servers will not be started, so a missing credential is a warning. `start` unless set. */
  readonly purpose?: "start" | "policy"
}

/**
 * Text to configuration: our own file, a client's `mcpServers` JSON, or tool lists per server.
 *
 * I1. Never throws, whatever the text.
 * I2. A configuration is given only when nothing in the text was misunderstood: every key was read, or is named in a warning.
 * I3. Nothing is allowed that the text does not say.
 */
export function loadConfig(text: string, options: LoadOptions): LoadResult {
  const { name, folder, env, home, hasher, purpose = "start", readTemplate = () => null } = options
  const report = createReport(name)
  const reading: Reading = { name, folder, home, env, purpose, report, readTemplate, secrets: new Set() }
  // Editors on Windows leave a byte order mark; it says nothing.
  const read = readRoot(text.replace(/^\uFEFF/, ""), reading)
  if (read === undefined) return { ok: false, problems: report.errors(), warnings: report.warnings() }
  reportUnmatchedServers(read.draft, report)
  const config = complete(read.format, withWritten(read.draft, text, reading), reading, hasher)
  const problems = report.errors()
  const servers = problems.length === 0 ? read.draft.servers : read.draft.named
  // Our own file may be for servers that clients wrap, which it does not name.
  if (servers.length === 0 && read.format !== "byleave")
    report.warn(read.root, "no-servers", noServers(read.serversKey))
  const warnings = report.warnings()
  if (problems.length === 0) return { ok: true, config, warnings }
  const isWhole = read.format === "byleave" && !problems.some(touchesPolicy)
  return { ok: false, problems, warnings, ...given("policy", isWhole ? config.policy : undefined) }
}

/** Each server and model beside itself as the file writes it, read once more with references left as they are. */
function withWritten(draft: ConfigDraft, text: string, reading: Reading): ConfigDraft {
  if (!hasReference(text)) return draft
  const report = createReport(reading.name)
  const forWords = { ...reading, report, purpose: "words" as const, secrets: new Set<string>() }
  const again = readRoot(text.replace(/^\uFEFF/, ""), { ...forWords, env: withReferences(reading.env) })
  const written = new Map(again?.draft.servers.map(({ id, transport }) => [id, transport]))
  const servers = draft.servers.map((server) => {
    const found = written.get(server.id)
    return found === undefined || isSameTransport(found, server.transport) ? server : { ...server, written: found }
  })
  const writtenModels = new Map(again?.draft.models.map(({ name, config }) => [name, config]))
  const models = draft.models.map((model) => {
    const found = writtenModels.get(model.name) ?? null
    const isSame = JSON.stringify(found) === JSON.stringify(model.config)
    return found === null || model.config === null || isSame ? model : { ...model, written: found }
  })
  return { ...draft, servers, models }
}

function isSameTransport(one: Transport, other: Transport): boolean {
  return transportText(one) === transportText(other)
}

function transportText(transport: Transport): string {
  const values = transport.kind === "stdio" ? transport.env : transport.headers
  return JSON.stringify([transport, ...values])
}

function touchesPolicy({ code, path }: ConfigProblem): boolean {
  return code === "duplicate-key" || /^(?:policy|servers)\b/.test(path)
}

function noServers(key: string): string {
  return `This file names no servers, so there is nothing to stand in front of. Write them under \`${key}\`.`
}

type ReadRoot = {
  readonly format: ConfigFormat
  readonly draft: ConfigDraft
  readonly root: MapNode
  readonly serversKey: string
}

function readRoot(text: string, reading: Reading): ReadRoot | undefined {
  const tree = readTree(text, reading.report)
  const root = tree && readMap(tree, "this file", reading.report)
  if (root === undefined) return undefined
  const has = (key: string) => root.entries.some((entry) => entry.key === key)
  const client = (serversKey: "mcpServers" | "servers"): ReadRoot => {
    return { format: "mcp-servers", draft: readClientServers(root, serversKey, reading), root, serversKey }
  }
  if (has("mcpServers")) {
    const own = root.entries.filter(({ key }) => key === "version" || key === "policy")
    if (own[0] === undefined) return client("mcpServers")
    reading.report.error(own[0], "unknown-format", twoFormats(own.map(({ key }) => `\`${key}\``).join(" and ")))
    return undefined
  }
  const isJson = /^\s*\{/.test(text)
  if (isJson && has("servers") && !has("version") && !has("policy")) return client("servers")
  const rest = { root, serversKey: "servers" }
  if (byleaveKeys.some(has)) return { format: "byleave", draft: readByleave(root, reading), ...rest }
  if (root.entries.some(looksPerServer)) return { format: "per-server", draft: readPerServer(root, reading), ...rest }
  reading.report.error(root, "unknown-format", unknownFormat)
  return undefined
}

const unknownFormat =
  "This is no configuration that Byleave knows. Write `version: 1` at the top and your servers under `servers:`, or use a client's file with `mcpServers`."

function twoFormats(keys: string): string {
  return `\`mcpServers\` belongs to a client's file and ${keys} to byleave.yaml, so it is not clear what holds. In byleave.yaml, write the servers under \`servers:\`; in a client's file, leave ${keys} out.`
}

function looksPerServer({ value }: MapNode["entries"][number]): boolean {
  return value.kind === "map" && value.entries.some((entry) => perServerKeys.includes(entry.key))
}

function complete(format: ConfigFormat, draft: ConfigDraft, reading: Reading, hasher: Hasher): Config {
  const policy = { ...draft.policy, servers: draft.servers.map(serverPolicyOf) }
  return {
    format,
    servers: draft.servers,
    models: draft.models,
    policy: { version: policyVersion(policy, hasher), ...policy },
    ...draft.service,
    secrets: [...reading.secrets],
  }
}
