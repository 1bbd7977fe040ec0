import { escapeGlob, type Rule, type TargetPattern } from "@byleave/core"
import type { ServerConfig, ToolListSettings, Transport } from "../../config.ts"
import type { Report } from "../../problem.ts"
import { keysOf } from "../../schema/schema-node.ts"
import { serverSchema, toolListSchema } from "../../schema/server-schema.ts"
import { workingFolders } from "../../server-folders.ts"
import type { MapEntry, YamlNode } from "../../text/tree.ts"
import {
  type Fields,
  given,
  optional,
  readCount,
  readDuration,
  readFields,
  readSize,
  readTexts,
  readWord,
} from "../fields.ts"
import { originOf } from "../read-rule.ts"
import type { Reading } from "../reading.ts"
import { commandOrUrl, readCommand, readHttp, readStdio, readUrl } from "./read-transport.ts"
import { checkServerId } from "./server-id.ts"

export type ReadServer = { readonly server: ServerConfig; readonly rules: readonly Rule[] }

const stdioKeys = ["command", "args", "env", "cwd"]
const httpKeys = ["url", "headers", "type"]

/** One entry of `servers` in our own file. */
export function readServer(entry: MapEntry, reading: Reading): ReadServer | undefined {
  const { report } = reading
  const isId = checkServerId(entry.key, entry, report)
  const fields = readFields(entry.value, { what: `the server \`${entry.key}\``, keys: keysOf(serverSchema) }, report)
  if (fields === undefined) return undefined
  const transport = readTransport(fields, reading)
  const trust = optional(fields.get("trust"), (node) =>
    readWord(node, "`trust`", ["none", "annotations"] as const, report),
  )
  const pin = optional(fields.get("pin"), (node) => readWord(node, "`pin`", ["full", "schema", "off"] as const, report))
  const newTools = optional(fields.get("newTools"), (node) =>
    readWord(node, "`newTools`", ["hold", "offer"] as const, report),
  )
  const offer = optional(fields.get("offer"), (node) => readTexts(node, "`offer`", report))
  const timeoutMs = optional(fields.get("timeout"), (node) => readDuration(node, "`timeout`", report))
  const toolList = optional(fields.get("toolList"), (node) => readToolList(node, report))
  const rules = optional(fields.get("approval"), (node) => approvalRules(entry.key, node, reading)) ?? []
  if (transport === undefined || !isId) return undefined
  const server: ServerConfig = {
    id: entry.key,
    trust: trust ?? "none",
    pin: pin ?? "full",
    ...given("newTools", newTools),
    ...given("offer", offer),
    ...workingFolders(transport, reading),
    ...given("timeoutMs", timeoutMs),
    ...given("toolList", toolList),
    transport,
  }
  return { server, rules }
}

function readToolList(node: YamlNode, report: Report): ToolListSettings | undefined {
  const fields = readFields(node, { what: "`toolList`", keys: keysOf(toolListSchema) }, report)
  if (fields === undefined) return undefined
  const count = (key: string) => optional(fields.get(key), (value) => readCount(value, `\`${key}\``, 1, report))
  return {
    ...given("pages", count("pages")),
    ...given("tools", count("tools")),
    ...given(
      "bytes",
      optional(fields.get("bytes"), (value) => readSize(value, "`bytes`", report)),
    ),
    ...given(
      "ms",
      optional(fields.get("within"), (value) => readDuration(value, "`within`", report)),
    ),
    ...given(
      "goodMs",
      optional(fields.get("goodFor"), (value) => readDuration(value, "`goodFor`", report)),
    ),
  }
}

function readTransport(fields: Fields, reading: Reading): Transport | undefined {
  const { report } = reading
  const where = commandOrUrl(fields, ["url"], report)
  if (where === undefined) return undefined
  if (where.is === "command") {
    refuse(fields, httpKeys, "`command`", reading)
    const text = readCommand(where.node, reading)
    return text === undefined ? undefined : readStdio(fields, text, reading)
  }
  refuse(fields, stdioKeys, "`url`", reading)
  const kind =
    optional(fields.get("type"), (node) => readWord(node, "`type`", ["http", "sse"] as const, report)) ?? "http"
  const address = readUrl(where.node, reading)
  return address === undefined ? undefined : readHttp(kind, fields, address, reading)
}

function refuse(fields: Fields, keys: readonly string[], beside: string, reading: Reading): void {
  for (const key of keys) {
    const node = fields.get(key)
    if (node !== undefined)
      reading.report.error(node, "bad-value", `\`${key}\` has no meaning beside ${beside}. Remove it.`)
  }
}

export const approvalModes = ["never", "always", "refuse"] as const
export type ApprovalMode = (typeof approvalModes)[number]

/** `approval: never | always | refuse` as the rule it stands for. */
function approvalRules(id: string, node: YamlNode, reading: Reading): readonly Rule[] {
  const mode = readWord(node, "`approval`", approvalModes, reading.report)
  const shared = { id: `servers.${id}.approval`, target: wholeServer(id), origin: originOf(node, reading) }
  switch (mode) {
    case undefined:
      return []
    case "never": {
      const message = `Every tool of \`${id}\` runs without anyone being asked, unless a rule hides, denies or asks. Write \`approval: always\` to be asked.`
      reading.report.warn(node, "approval-never", message)
      return [{ ...shared, effect: "allow" }]
    }
    case "always":
      return [{ ...shared, effect: "ask", remember: "never" }]
    case "refuse":
      return [{ ...shared, effect: "deny", reason: `The configuration refuses all calls to ${id}.` }]
  }
}

function wholeServer(id: string): TargetPattern {
  return { server: escapeGlob(id), kind: "tool", name: "*", whole: true }
}
