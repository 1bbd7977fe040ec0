import type { Transport } from "../../config.ts"
import type { Report } from "../../problem.ts"
import { describeNode, type YamlNode } from "../../text/tree.ts"
import { hasReference } from "../environment.ts"
import { type Fields, given, optional, readList, readMap, readText } from "../fields.ts"
import { addSecret, expandText, type Reading, readPath } from "../reading.ts"
import { isCredentialName, secretParts } from "./credential-name.ts"

/** The command or URL of a server: one of the two, and not both. */
export function commandOrUrl(fields: Fields, urlKeys: readonly string[], report: Report) {
  const command = fields.get("command")
  const url = urlKeys.map((key) => fields.get(key)).find((node) => node !== undefined)
  if (command !== undefined && url !== undefined)
    report.error(url, "bad-value", "A server has a `command` to start or a `url` to reach, not both. Remove one.")
  else if (command !== undefined) return { is: "command", node: command } as const
  else if (url !== undefined) return { is: "url", node: url } as const
  else {
    const message = "A server needs a `command` to start or a `url` to reach. Write one of them."
    report.error(fields.node, "missing-key", message)
  }
  return undefined
}

/** A server's own process: `command`, `args`, `env`, `cwd`. */
export function readStdio(fields: Fields, command: string, reading: Reading): Transport {
  const { report } = reading
  const args = optional(fields.get("args"), (node) => readList(node, "`args`", report))
  return {
    kind: "stdio",
    command,
    args: (args?.items ?? []).flatMap((node) => {
      const text = readPlain(node, "each entry of `args`", report)
      return text === undefined ? [] : [expandText(text, node, reading, "secrets")]
    }),
    env: optional(fields.get("env"), (node) => readSecretMap(node, "env", reading)) ?? new Map(),
    ...given(
      "cwd",
      optional(fields.get("cwd"), (node) => readPath(node, "`cwd`", reading)),
    ),
  }
}

/** A server elsewhere: an address and `headers`. */
export function readHttp(kind: "http" | "sse", fields: Fields, url: string, reading: Reading): Transport {
  const headers = optional(fields.get("headers"), (node) => readSecretMap(node, "headers", reading)) ?? new Map()
  return { kind, url, headers }
}

/** The command as it is run; a whole line may hold arguments, and those hold secrets. */
export function readCommand(node: YamlNode, reading: Reading, is: "program" | "line" = "program"): string | undefined {
  const text = readText(node, "`command`", reading.report)
  return text === undefined ? undefined : expandText(text, node, reading, is === "line" ? "secrets" : "words")
}

/** An http(s) address without credentials in it: those belong in a header, where they are kept out of logs. */
export function readUrl(node: YamlNode, reading: Reading): string | undefined {
  const written = readText(node, "`url`", reading.report)
  if (written === undefined) return undefined
  const url = expandText(written, node, reading, "secrets")
  const match = /^https?:\/\/([^/?#\s\\]+)(?:[/?#][^\s\\]*)?$/i.exec(url)
  if (reading.purpose === "words" || (reading.dispensable?.missing.size ?? 0) > 0) return url
  if (match?.[1] === undefined) {
    const message = `\`url\` must start with http:// or https:// and name a host, but this is ${describeNode(node)}.`
    reading.report.error(node, "bad-value", message)
    return undefined
  }
  if (match[1].includes("@")) {
    const message = `\`url\` carries a user name or password. Put it into \`headers\`, for example \`Authorization: "Basic \${TOKEN}"\`.`
    reading.report.error(node, "bad-value", message)
    return undefined
  }
  return url
}

function credentialIn(value: string): string {
  return value.replace(/^(?:Basic|Bearer|Token) +/i, "")
}

/** Names and values that may be secret: values from the environment are, and so are those whose name says it. */
export function readSecretMap(
  node: YamlNode,
  what: "env" | "headers",
  reading: Reading,
): ReadonlyMap<string, string> | undefined {
  const map = readMap(node, `\`${what}\``, reading.report)
  if (map === undefined) return undefined
  const values = new Map<string, string>()
  for (const entry of map.entries) {
    const written = readPlain(entry.value, `\`${entry.key}\``, reading.report)
    if (written === undefined || !isName(what, entry.key, entry.value, reading.report)) continue
    const value = expandText(written, entry.value, reading, "secrets")
    if (/[\0\r\n]/.test(value) && what === "headers") {
      reading.report.error(entry.value, "bad-value", `The value of \`${entry.key}\` has a line break in it. Remove it.`)
    }
    const secrets = secretsOf(what, entry.key, value)
    // Words after `:-` are as secret as those that stand there alone.
    if (!hasReference(written) || written.includes(":-")) for (const secret of secrets) addSecret(secret, reading)
    if (secrets.length > 0 && !hasReference(written)) {
      const message = `The value of \`${entry.key}\` stands in this file for everyone to read. Write \`\${NAME}\` and set that environment variable.`
      reading.report.warn(entry.value, "secret-in-file", message)
    }
    values.set(entry.key, value)
  }
  return values
}

function secretsOf(what: "env" | "headers", name: string, value: string): readonly string[] {
  if (what === "env") return secretParts(name, value).map(({ start, end }) => value.slice(start, end))
  return isCredentialName(name) && value !== "" ? [credentialIn(value)] : []
}

const nameShapes = { env: /^[^=\0]+$/, headers: /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/ } as const

function isName(what: "env" | "headers", name: string, node: YamlNode, report: Report): boolean {
  if (nameShapes[what].test(name)) return true
  const kind = what === "env" ? "an environment variable" : "a header"
  report.error(node, "bad-value", `${JSON.stringify(name)} cannot be the name of ${kind}.`)
  return false
}

/** Text, also where people write a bare number or true. */
function readPlain(node: YamlNode, what: string, report: Report): string | undefined {
  if (node.kind === "scalar" && node.value === "") return ""
  if (node.kind === "scalar" && (typeof node.value === "number" || typeof node.value === "boolean")) return node.source
  return readText(node, what, report)
}
