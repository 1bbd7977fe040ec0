import { canonicalJson, type JsonValue, type Limits, type Policy } from "@byleave/core"
import { parse } from "yaml"
import type { ApprovalMode } from "../read/servers/read-server.ts"
import { appendItems, removeItem, removeKey, replaceItem, type Splice, setValue } from "./splice-yaml.ts"
import type { WrittenRule } from "./written-rule.ts"

/** A change to our own file, as a person would make it by hand. Rules are named by their place in the list. */
export type ConfigEdit =
  | { readonly kind: "add-rule"; readonly rule: WrittenRule }
  | { readonly kind: "add-rules"; readonly rules: readonly WrittenRule[] }
  | { readonly kind: "replace-rule"; readonly index: number; readonly rule: WrittenRule }
  | { readonly kind: "remove-rule"; readonly index: number }
  | { readonly kind: "set-default"; readonly default: Policy["default"] }
  /** Null takes the setting away. */
  | { readonly kind: "set-approval"; readonly server: string; readonly approval: ApprovalMode | null }
  | { readonly kind: "add-classify"; readonly entry: { readonly [access: string]: string } }
  | { readonly kind: "set-offer"; readonly server: string; readonly offer: readonly string[] }
  | { readonly kind: "add-server"; readonly server: string; readonly entry: { readonly [key: string]: JsonValue } }
  | { readonly kind: "remove-server"; readonly server: string }
  /** The value as it stands in the file, e.g. `{ writes: 20, within: "1m" }`. */
  | { readonly kind: "set-limit"; readonly limit: keyof Limits; readonly value: JsonValue }

export type EditRefusal = {
  readonly code: "not-byleave" | "no-such-rule" | "no-such-server" | "not-editable"
  readonly message: string
}

export type EditResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly refusal: EditRefusal }

/**
 * Rewrites `byleave.yaml` by cutting and pasting. Whether the new text is a good configuration, `loadConfig` says.
 *
 * I1. The new text means what the old one meant, with the edits made: nothing else is added, lost or changed.
 * I2. Comments and the layout of what no edit touches stay as they are.
 */
export function editConfig(text: string, edits: readonly ConfigEdit[]): EditResult {
  let current = text
  for (const edit of edits) {
    const result = applyEdit(current, edit)
    if (!result.ok) return result
    current = result.text
  }
  return { ok: true, text: current }
}

/** Rules as text, the way each stands in the list. */
export type RuleEdits = { readonly add: readonly string[]; readonly remove: readonly string[] }

export type EditedRules =
  /** `removed`: of those to remove, the ones that the file had. */
  { readonly ok: true; readonly text: string; readonly removed: readonly string[] } | Extract<EditResult, { ok: false }>

/** Adds rules as the last ones. Those to remove are removed where the file has them with the same keys and values. */
export function editRules(text: string, { add, remove }: RuleEdits): EditedRules {
  const added = add.map(readRule)
  const written = added.filter((rule) => rule !== null)
  if (written.length < added.length) return refuse("not-editable", "This is not one rule.")
  const gone = new Map(remove.map((one) => [dataText(readRule(one)), one]))
  const found = rulesOf(readData(text) ?? {}).map((one) => gone.get(dataText(one)))
  const removals = found
    .flatMap((one, index) => (one === undefined ? [] : [{ kind: "remove-rule", index } as const]))
    .toReversed()
  const edited = editConfig(text, [...written.map((rule) => ({ kind: "add-rule", rule }) as const), ...removals])
  return edited.ok ? { ...edited, removed: found.filter((one) => one !== undefined) } : edited
}

/** The same text for the same data, whatever the order of its keys. */
function dataText(data: unknown): string {
  return canonicalJson(JSON.parse(JSON.stringify(data)))
}

/** An entry of the list of rules, with its dash or without; null for anything else. */
export function readRule(text: string): WrittenRule | null {
  const read = readYaml(text)
  const written: unknown = Array.isArray(read) && read.length === 1 ? read[0] : read
  return isData(written) ? (written as WrittenRule) : null
}

type Data = { readonly [key: string]: JsonValue }

function applyEdit(text: string, edit: ConfigEdit): EditResult {
  const data = readData(text)
  if (data === undefined) {
    return refuse("not-byleave", "Only a byleave.yaml that loads can be edited here. Change this file by hand.")
  }
  const refusal = missing(data, edit)
  if (refusal !== undefined) return { ok: false, refusal }
  const next = spliceOf(edit)(text)
  const expected = JSON.stringify(JSON.parse(JSON.stringify(withEdit(data, edit))))
  if (next !== undefined && JSON.stringify(readData(next)) === expected) return { ok: true, text: next }
  return refuse("not-editable", "This file is laid out in a way that cannot be changed safely. Change it by hand.")
}

function refuse(code: EditRefusal["code"], message: string): Extract<EditResult, { ok: false }> {
  return { ok: false, refusal: { code, message } }
}

function readData(text: string): Data | undefined {
  const data = readYaml(text)
  return isData(data) && data.version === 1 ? data : undefined
}

function readYaml(text: string): unknown {
  try {
    return parse(text, { version: "1.2", schema: "core" })
  } catch {
    // Errors in the text are reported by `loadConfig`, with their place.
    return undefined
  }
}

function missing(data: Data, edit: ConfigEdit): EditRefusal | undefined {
  if (
    (edit.kind === "set-approval" || edit.kind === "set-offer" || edit.kind === "remove-server") &&
    !Object.hasOwn(section(data, "servers"), edit.server)
  ) {
    return { code: "no-such-server", message: `There is no server ${JSON.stringify(edit.server)} in this file.` }
  }
  if (edit.kind !== "replace-rule" && edit.kind !== "remove-rule") return undefined
  const count = rulesOf(data).length
  if (Number.isInteger(edit.index) && edit.index >= 0 && edit.index < count) return undefined
  return { code: "no-such-rule", message: `There is no rule ${edit.index}; this file has ${count}, counted from 0.` }
}

const rulesPath = ["policy", "rules"]
const classifyPath = ["policy", "classify"]

function spliceOf(edit: ConfigEdit): Splice {
  switch (edit.kind) {
    case "add-rule":
      return appendItems(rulesPath, [edit.rule as Data])
    case "add-rules":
      return appendItems(rulesPath, edit.rules as readonly Data[])
    case "replace-rule":
      return replaceItem(rulesPath, edit.index, edit.rule as Data)
    case "remove-rule":
      return removeItem(rulesPath, edit.index)
    case "set-default":
      return setValue(["policy", "default"], edit.default)
    case "set-approval":
      return setOrRemove(["servers", edit.server, "approval"], edit.approval)
    case "add-classify":
      return appendItems(classifyPath, [edit.entry])
    case "set-offer":
      return setValue(["servers", edit.server, "offer"], edit.offer)
    case "add-server":
      return setValue(["servers", edit.server], edit.entry)
    case "remove-server":
      return removeKey(["servers", edit.server])
    case "set-limit":
      return setOrRemove(["limits", edit.limit], edit.value)
  }
}

function setOrRemove(path: readonly string[], value: JsonValue): Splice {
  return value === null ? removeKey(path) : setValue(path, value)
}

/** The expected data of the file after the edit; the splice is accepted only if it gives the same. */
function withEdit(data: Data, edit: ConfigEdit): Data {
  const rules = rulesOf(data)
  const withRules = (next: readonly JsonValue[]): Data => withKeys(data, rulesPath, next)
  switch (edit.kind) {
    case "add-rule":
      return withRules([...rules, edit.rule as Data])
    case "add-rules":
      return withRules([...rules, ...(edit.rules as readonly Data[])])
    case "replace-rule":
      return withRules(rules.with(edit.index, edit.rule as Data))
    case "remove-rule":
      return withRules(rules.toSpliced(edit.index, 1))
    case "set-default":
      return withKeys(data, ["policy", "default"], edit.default)
    case "set-approval":
      return withKeys(data, ["servers", edit.server, "approval"], edit.approval)
    case "add-classify": {
      const { classify } = section(data, "policy")
      return withKeys(data, classifyPath, [...(Array.isArray(classify) ? classify : []), edit.entry])
    }
    case "set-offer":
      return withKeys(data, ["servers", edit.server, "offer"], edit.offer)
    case "add-server":
      return withKeys(data, ["servers", edit.server], edit.entry)
    case "remove-server":
      return withKeys(data, ["servers", edit.server], null)
    case "set-limit":
      return withKeys(data, ["limits", edit.limit], edit.value)
  }
}

function withKeys(data: Data, [key = "", ...rest]: readonly string[], value: JsonValue): Data {
  if (rest.length > 0) {
    // To take a key away from a section that is not there is to do nothing.
    if (value === null && !Object.hasOwn(data, key)) return data
    return { ...data, [key]: withKeys(section(data, key), rest, value) }
  }
  if (value !== null) return { ...data, [key]: value }
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== key))
}

function section(data: Data, key: string): Data {
  const value = Object.hasOwn(data, key) ? data[key] : undefined
  return isData(value) ? value : {}
}

function rulesOf(data: Data): readonly JsonValue[] {
  const { rules } = section(data, "policy")
  return Array.isArray(rules) ? rules : []
}

function isData(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
