import { emptyPolicy, escapeGlob, type Rule } from "@byleave/core"
import type { Transport } from "../../config.ts"
import { workingFolders } from "../../server-folders.ts"
import type { ConfigDraft } from "../../text/draft.ts"
import { describeNode, type MapEntry, type MapNode, type YamlNode } from "../../text/tree.ts"
import { type Fields, given, optional, readBoolean, readFields, readList, readText, readWord } from "../fields.ts"
import { originOf } from "../read-rule.ts"
import { defaultService } from "../read-service.ts"
import type { Reading } from "../reading.ts"
import type { ReadServer } from "./read-server.ts"
import { readCommand, readHttp, readStdio, readUrl } from "./read-transport.ts"
import { checkServerId } from "./server-id.ts"
import { splitCommand } from "./split-command.ts"
import { stripPrefix } from "./strip-prefix.ts"

const blockKeys = ["tool_blacklist", "exclude_tools"]
const allowKeys = ["auto_approved_tools", "auto_approve_tools"]
const hookKeys = ["pre_hook", "post_hook"]
const typeKeys = ["transport_type", "transport"]
const listKeys = [...blockKeys, ...allowKeys, "include_tools"]
const otherKeys = ["tool_name_prefix", "timeout_seconds", "refresh_connection"]

/** Every key of a server's entry in this format. */
export const perServerKeys = [
  "url",
  "path",
  "command",
  "args",
  "env",
  "cwd",
  "headers",
  ...typeKeys,
  ...listKeys,
  ...otherKeys,
  ...hookKeys,
]

/** Server ids at the top of the file, tool lists beside each address. */
export function readPerServer(root: MapNode, reading: Reading): ConfigDraft {
  const read = root.entries.flatMap((entry) => readEntry(entry, reading) ?? [])
  const { version: _version, servers: _servers, ...policy } = emptyPolicy
  return {
    servers: read.map(({ server }) => server),
    named: root.entries.map(({ key }) => key),
    models: [],
    policy: { ...policy, rules: read.flatMap(({ rules }) => rules) },
    service: defaultService,
  }
}

function readEntry(entry: MapEntry, reading: Reading): ReadServer | undefined {
  const { report } = reading
  const isId = checkServerId(entry.key, entry, report)
  const fields = readFields(entry.value, { what: `the server \`${entry.key}\``, keys: perServerKeys }, report)
  if (fields === undefined) return undefined
  const transport = readTransport(fields, reading)
  const lists = readLists(entry, fields, reading)
  const refresh = optional(fields.get("refresh_connection"), (node) =>
    readBoolean(node, "`refresh_connection`", report),
  )
  const timeoutMs = optional(fields.get("timeout_seconds"), (node) => readSeconds(node, reading))
  for (const key of hookKeys) {
    const hook = fields.get(key)
    if (hook !== undefined)
      report.warn(hook, "not-supported", `\`${key}\` is code of another program and does not run here. Remove it.`)
  }
  if (transport === undefined || !isId) return undefined
  const server = {
    id: entry.key,
    trust: "none",
    pin: "full",
    ...given("offer", lists.offer),
    ...workingFolders(transport, reading),
    ...given("timeoutMs", timeoutMs),
    ...given("refreshConnection", refresh),
    transport,
  } as const
  return { server, rules: lists.rules }
}

function readLists(entry: MapEntry, fields: Fields, reading: Reading) {
  const { report } = reading
  const prefixNode = fields.get("tool_name_prefix")
  const prefix = optional(prefixNode, (node) => readText(node, "`tool_name_prefix`", report))
  if (prefix !== undefined && prefixNode !== undefined) {
    const message = `Tools keep their own names here. A pattern applies when it matches a tool's own name or the name with \`${prefix}_\` before it.`
    report.warn(prefixNode, "not-supported", message)
  }
  const rulesOf = (effect: "hide" | "allow", key: string): readonly Rule[] =>
    readPatterns(fields, key, prefix, reading).map(({ name, at, index }) => ({
      effect,
      id: `${entry.key}.${key}[${index}]`,
      target: { server: escapeGlob(entry.key), kind: "tool", name, whole: false },
      origin: originOf(at, reading),
    }))
  if (!allowKeys.some((key) => fields.get(key) !== undefined)) reportAbsent(entry, reading)
  const offer = fields.get("include_tools") && readPatterns(fields, "include_tools", prefix, reading)
  return {
    rules: [...blockKeys.flatMap((key) => rulesOf("hide", key)), ...allowKeys.flatMap((key) => rulesOf("allow", key))],
    offer: offer?.map(({ name }) => name),
  }
}

/** Elsewhere an absent list means that nothing is asked; here nothing is allowed that nobody wrote down. */
function reportAbsent(entry: MapEntry, reading: Reading): void {
  const message = `\`${entry.key}\` has no \`auto_approved_tools\`, so every tool that is not blocked asks. Write \`auto_approved_tools: []\` to say so, or list the tools that may run.`
  reading.report.warn(entry, "auto-approve-absent", message)
}

type Pattern = { readonly name: string; readonly at: YamlNode; readonly index: number }

function readPatterns(fields: Fields, key: string, prefix: string | undefined, reading: Reading): readonly Pattern[] {
  const list = optional(fields.get(key), (node) => readList(node, `\`${key}\``, reading.report))
  return (list?.items ?? []).flatMap((at, index) => {
    const glob = readText(at, `each entry of \`${key}\``, reading.report)
    if (glob === undefined) return []
    const names = prefix === undefined ? [glob] : [glob, ...stripPrefix(glob, `${prefix}_`)]
    return [...new Set(names)].filter((name) => name !== "").map((name) => ({ name, at, index }))
  })
}

const transportWords = ["stdio", "http", "streamable-http", "sse"] as const

function readTransport(fields: Fields, reading: Reading): Transport | undefined {
  const { report } = reading
  const typeNode = typeKeys.map((key) => fields.get(key)).find((node) => node !== undefined)
  const type = optional(typeNode, (node) => readWord(node, "`transport_type`", transportWords, report))
  const command = fields.get("command")
  const url = fields.get("url")
  if ((command === undefined) === (url === undefined)) {
    report.error(
      fields.node,
      "missing-key",
      "A server needs either a `url` to reach or a `command` to start. Write one of them.",
    )
    return undefined
  }
  if (command !== undefined) return readLaunch(command, fields, reading)
  const address = optional(url, (node) => readUrl(node, reading))
  const path = optional(fields.get("path"), (node) => readText(node, "`path`", report)) ?? ""
  if (type === "stdio" && typeNode !== undefined) {
    report.error(
      typeNode,
      "bad-value",
      "`stdio` starts a `command`, but this server has a `url`. Write `http` or `sse`.",
    )
  }
  return address === undefined
    ? undefined
    : readHttp(type === "sse" ? "sse" : "http", fields, joinPath(address, path), reading)
}

/** Here a command may be a whole line, as typed into a shell; no shell runs it. */
function readLaunch(node: YamlNode, fields: Fields, reading: Reading): Transport | undefined {
  const isLine = fields.get("args") === undefined
  const line = readCommand(node, reading, isLine ? "line" : "program")
  const words = line !== undefined && isLine ? splitCommand(line) : line && [line]
  if (!words) {
    if (line !== undefined)
      reading.report.error(
        node,
        "bad-value",
        "A quote is not closed in `command`. Close it, or write `args` as a list.",
      )
    return undefined
  }
  const [command = "", ...args] = words
  const transport = readStdio(fields, command, reading)
  return transport.kind === "stdio" ? { ...transport, args: [...args, ...transport.args] } : transport
}

function joinPath(url: string, path: string): string {
  if (path === "") return url
  let end = url.length
  while (end > 0 && url[end - 1] === "/") end -= 1
  return `${url.slice(0, end)}/${path.replace(/^\/+/, "")}`
}

function readSeconds(node: YamlNode, reading: Reading): number | undefined {
  const value = node.kind === "scalar" ? node.value : undefined
  if (typeof value === "number" && value > 0 && value <= 86_400) return Math.round(value * 1000)
  reading.report.error(
    node,
    "bad-value",
    `\`timeout_seconds\` must be a number of seconds up to 86400, but this is ${describeNode(node)}.`,
  )
  return undefined
}
