import { emptyPolicy, escapeGlob, type Rule } from "@byleave/core"
import type { Transport } from "../../config.ts"
import { workingFolders } from "../../server-folders.ts"
import type { ConfigDraft } from "../../text/draft.ts"
import type { MapEntry, MapNode, YamlNode } from "../../text/tree.ts"
import { type Fields, optional, readBoolean, readFields, readList, readMap, readText, readWord } from "../fields.ts"
import { originOf } from "../read-rule.ts"
import { defaultService } from "../read-service.ts"
import type { Reading } from "../reading.ts"
import type { ReadServer } from "./read-server.ts"
import { commandOrUrl, readCommand, readHttp, readStdio, readUrl } from "./read-transport.ts"
import { checkServerId } from "./server-id.ts"

const urlKeys = ["url", "serverUrl", "httpUrl"]
const typeKeys = ["type", "transport"]
const allowKeys = ["autoApprove", "alwaysAllow"]
const hideKeys = ["disabledTools"]
const clientKeys = [
  "command",
  "args",
  "env",
  "cwd",
  "headers",
  "disabled",
  ...urlKeys,
  ...typeKeys,
  ...allowKeys,
  ...hideKeys,
]

/** The servers of a client's own JSON file, below `mcpServers` or `servers`. Its tool lists name tools literally. */
export function readClientServers(root: MapNode, key: "mcpServers" | "servers", reading: Reading): ConfigDraft {
  const others = root.entries.filter((entry) => entry.key !== key && entry.key !== "inputs")
  if (others[0] !== undefined) {
    const names = others.map((entry) => `\`${entry.key}\``).join(", ")
    reading.report.warn(others[0], "unused-key", `Only \`${key}\` is read from this file; not used: ${names}.`)
  }
  const entry = root.entries.find((candidate) => candidate.key === key)
  const servers = optional(entry?.value, (node) => readMap(node, `\`${key}\``, reading.report))
  const read = (servers?.entries ?? []).flatMap((server) => readClientServer(server, reading) ?? [])
  const { version: _version, servers: _servers, ...policy } = emptyPolicy
  return {
    servers: read.map(({ server }) => server),
    named: (servers?.entries ?? []).map((server) => server.key),
    models: [],
    policy: { ...policy, rules: read.flatMap(({ rules }) => rules) },
    service: defaultService,
  }
}

function readClientServer(entry: MapEntry, reading: Reading): ReadServer | undefined {
  const { report } = reading
  const isId = checkServerId(entry.key, entry, report)
  const what = `the server \`${entry.key}\``
  const fields = readFields(entry.value, { what, keys: clientKeys, unknown: "warn" }, report)
  if (fields === undefined) return undefined
  if (optional(fields.get("disabled"), (node) => readBoolean(node, "`disabled`", report)) === true) {
    report.warn(
      entry,
      "server-disabled",
      `\`${entry.key}\` is disabled and left out. Write \`"disabled": false\` to use it.`,
    )
    return undefined
  }
  const transport = readTransport(fields, reading)
  const rules = [
    ...hideKeys.flatMap((key) => listRules("hide", entry.key, key, fields.get(key), reading)),
    ...allowKeys.flatMap((key) => listRules("allow", entry.key, key, fields.get(key), reading)),
  ]
  if (transport === undefined || !isId) return undefined
  const server = {
    id: entry.key,
    trust: "none",
    pin: "full",
    ...workingFolders(transport, reading),
    transport,
  } as const
  return { server, rules }
}

const transportWords = ["stdio", "http", "sse", "streamable-http", "streamableHttp"] as const

function readTransport(fields: Fields, reading: Reading): Transport | undefined {
  const { report } = reading
  const typeNode = fields.get("type") ?? fields.get("transport")
  const type = optional(typeNode, (node) => readWord(node, "`type`", transportWords, report))
  const where = commandOrUrl(fields, urlKeys, report)
  if (where === undefined) return undefined
  if (where.is === "command") {
    const text = readCommand(where.node, reading)
    return text === undefined ? undefined : readStdio(fields, text, reading)
  }
  const address = readUrl(where.node, reading)
  return address === undefined ? undefined : readHttp(type === "sse" ? "sse" : "http", fields, address, reading)
}

function listRules(
  effect: "hide" | "allow",
  server: string,
  key: string,
  node: YamlNode | undefined,
  reading: Reading,
): readonly Rule[] {
  const { report } = reading
  const list = optional(node, (written) => readList(written, `\`${key}\``, report))
  const rules = (list?.items ?? []).flatMap((item, index): readonly Rule[] => {
    const name = readText(item, `each entry of \`${key}\``, report)
    if (name === undefined) return []
    if (/[*?[]/.test(name)) {
      const message = `\`${key}\` names tools literally, so ${JSON.stringify(name)} is not a pattern. Write a rule in byleave.yaml to match many tools.`
      report.warn(item, "literal-pattern", message)
    }
    const target = { server: escapeGlob(server), kind: "tool", name: escapeGlob(name), whole: false } as const
    return [{ effect, id: `${server}.${key}[${index}]`, target, origin: originOf(item, reading) }]
  })
  if (effect === "allow" && list !== undefined && rules.length > 0) {
    const names = rules.map((rule) => rule.target.name).join(", ")
    report.warn(
      list,
      "carried-allow",
      `\`${key}\` lets these tools of \`${server}\` run without asking: ${names}. Remove those you want to be asked about.`,
    )
  }
  return rules
}
