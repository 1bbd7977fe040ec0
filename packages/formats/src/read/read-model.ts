import { type HttpModelConfig, looksSecret, modelProviders, type ScriptedModelConfig } from "@byleave/core"
import type { ModelSettings } from "../config.ts"
import { modelSchema } from "../schema/model-schema.ts"
import { keysOf } from "../schema/schema-node.ts"
import type { MapEntry, YamlNode } from "../text/tree.ts"
import { hasReference } from "./environment.ts"
import { type Fields, optional, readBoolean, readFields, readText, readWord, requireKey } from "./fields.ts"
import { readSteps } from "./read-script.ts"
import { addSecret, expandText, type Reading, readPath } from "./reading.ts"
import { isCredentialName } from "./servers/credential-name.ts"
import { readSecretMap, readUrl } from "./servers/read-transport.ts"

const httpKeys = ["url", "model", "key", "headers", "images"]

/** One entry of `models`. A variable that is not set makes this model unusable, not the file. */
export function readModel(entry: MapEntry, outer: Reading): ModelSettings | undefined {
  const name = entry.key
  const what = `the model \`${name}\``
  const reading: Reading = { ...outer, secrets: new Set(), dispensable: { what, missing: new Set() } }
  const { report } = reading
  const isNamed = checkName(entry, reading)
  const fields = readFields(entry.value, { what, keys: keysOf(modelSchema) }, report)
  if (fields === undefined) return undefined
  const written = fields.get("provider")
  if (written === undefined) requireKey(fields.node, "provider", what, report)
  const provider = optional(written, (node) => readWord(node, "`provider`", modelProviders, report))
  if (provider === undefined || !isNamed) return undefined
  const read =
    provider === "scripted" ? readScripted(name, fields, reading) : readHttpModel(name, provider, fields, reading)
  for (const secret of reading.secrets) outer.secrets.add(secret)
  if (read === undefined) return undefined
  const isWhole = reading.dispensable?.missing.size === 0
  return { name, provider, ...read, config: isWhole ? read.config : null, secrets: [...reading.secrets] }
}

const nameForm = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._@/:-]{0,98}[\p{L}\p{N}])?$/u

function checkName(entry: MapEntry, { report }: Reading): boolean {
  if (nameForm.test(entry.key)) return true
  const message = `${JSON.stringify(entry.key)} cannot be a model's name. Use up to 100 letters, digits, \`.\`, \`_\`, \`-\`, \`:\`, \`/\` and spaces; begin and end with a letter or a digit.`
  report.error(entry, "bad-value", message)
  return false
}

type ReadConfig<Model> = { readonly config: Model; readonly script?: string }

function readHttpModel(
  name: string,
  provider: HttpModelConfig["provider"],
  fields: Fields,
  reading: Reading,
): ReadConfig<HttpModelConfig> | undefined {
  const { report } = reading
  refuse(fields, ["script"], provider, reading)
  const url = optional(fields.get("url"), (node) => readUrl(node, reading))
  const model = optional(fields.get("model"), (node) => readExpanded(node, "`model`", "words", reading))
  const key = optional(fields.get("key"), (node) => readKey(node, reading))
  const headers = optional(fields.get("headers"), (node) => readSecretMap(node, "headers", reading)) ?? new Map()
  addOddSecrets(headers, reading)
  if (provider === "openai-compatible" && fields.get("url") === undefined) {
    const message = `The model \`${name}\` needs \`url\`, where its API begins, such as http://127.0.0.1:11434/v1.`
    report.error(fields.node, "missing-key", message)
    return undefined
  }
  const hasCredential = fields.get("key") !== undefined || [...headers.keys()].some(isCredentialName)
  if (provider !== "openai-compatible" && fields.get("url") === undefined && !hasCredential) {
    const message = `The model \`${name}\` needs \`key\`. Write \`key: "\${${keyVariables[provider]}}"\` and set that environment variable.`
    report.error(fields.node, "missing-key", message)
  }
  const config = { name, provider, url: url ?? null, model: model ?? name, key: key ?? null }
  const images = optional(fields.get("images"), (node) => readBoolean(node, "`images`", report))
  const taken = images === undefined ? {} : { images }
  return { config: { ...config, headers: Object.fromEntries(headers), ...taken } }
}

const keyVariables = { openai: "OPENAI_API_KEY", anthropic: "ANTHROPIC_API_KEY", google: "GEMINI_API_KEY" } as const

function readScripted(name: string, fields: Fields, reading: Reading): ReadConfig<ScriptedModelConfig> | undefined {
  const { report } = reading
  refuse(fields, httpKeys, "scripted", reading)
  const script = fields.get("script")
  if (script === undefined) {
    requireKey(fields.node, "script", `the model \`${name}\``, report)
    return undefined
  }
  if (script.kind === "list") return { config: { name, provider: "scripted", steps: readSteps(script, report) } }
  const path = readPath(script, "`script`", reading)
  return path === undefined ? undefined : { config: { name, provider: "scripted", steps: [] }, script: path }
}

function refuse(fields: Fields, keys: readonly string[], provider: string, { report }: Reading): void {
  for (const key of keys) {
    const node = fields.get(key)
    if (node === undefined) continue
    report.error(node, "bad-value", `\`${key}\` has no meaning beside \`provider: ${provider}\`. Remove it.`)
  }
}

function readExpanded(node: YamlNode, what: string, holds: "secrets" | "words", reading: Reading): string | undefined {
  const written = readText(node, what, reading.report)
  return written === undefined ? undefined : expandText(written, node, reading, holds)
}

function readKey(node: YamlNode, reading: Reading): string | undefined {
  const key = readExpanded(node, "`key`", "secrets", reading)
  if (key === undefined || node.kind !== "scalar") return undefined
  if (key.trim() === "" && reading.dispensable !== undefined) {
    const { what, missing } = reading.dispensable
    reading.report.warn(
      node,
      "missing-variable",
      `The key is empty, so ${what} cannot be used. Set it and start Byleave again.`,
    )
    missing.add("")
    return undefined
  }
  // Headers carry nothing else; also a variable may hold what no header can.
  if (/[^\x21-\x7e]/.test(key.trim()) && reading.purpose !== "words" && reading.dispensable?.missing.size === 0) {
    reading.report.error(
      node,
      "bad-value",
      "The key has spaces or characters in it that no key has. Check where it comes from.",
    )
    return undefined
  }
  const written = String(node.value)
  if (!hasReference(written) || written.includes(":-")) addSecret(key.trim(), reading)
  if (!hasReference(written)) {
    const message =
      "The key stands in this file for everyone to read. Write `$" + "{NAME}` and set that environment variable."
    reading.report.warn(node, "secret-in-file", message)
  }
  return key.trim()
}

/** Values that look like secrets count as secrets, under any name. */
function addOddSecrets(headers: ReadonlyMap<string, string>, reading: Reading): void {
  for (const [name, value] of headers) if (looksSecret(name, value)) addSecret(value, reading)
}
