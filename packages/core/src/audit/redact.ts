/**
 * Takes secrets out of what is recorded: by the name they stand under, and by configured values wherever they occur.
 *
 * I1. No configured value of at least four characters is in what comes out, in any string, key or number.
 * I2. Nothing that stands under a secret's name comes out, save null, booleans and the empty string.
 * I3. What holds no secret comes out as the same object; nothing that goes in is changed.
 */
import type { JsonObject, JsonValue } from "../call/json/json.ts"
import { isRawNumber } from "../call/json/raw-number.ts"
import { compileGlob } from "../policy/conditions/glob.ts"
import { secretInWords } from "../policy/risks/mask-secrets.ts"
import { isSecretKey } from "../policy/risks/secret-key.ts"
import { secretForms } from "./secret-forms.ts"
import { createTextFinder, shortestNeedle, type TextFinder } from "./text-finder.ts"

export type RedactOptions = {
  /** More names that mean a secret; globs, in any case. */
  readonly keys?: readonly string[]
  /**
   * Secrets to look for, such as tokens from the environment. Secrets shorter than four characters are left alone: they
   * occur everywhere by chance, and masking each place would spell them out.
   */
  readonly values?: readonly string[]
}

export type Redactor = {
  readonly redact: (value: JsonValue) => JsonValue
  readonly redactText: (text: string) => string
}

/** Deeper than anything the reader lets in, and shallow enough for the stack of a JSON writer. */
const greatestDepth = 1_000

type Tools = {
  readonly find: TextFinder
  /** Whether a number could hold a configured value at all. */
  readonly searchNumbers: boolean
  readonly isSecret: (key: string) => boolean
  /** Words in place of a secret. */
  readonly mask: (words: string) => string
}

export function createRedactor(options: RedactOptions = {}): Redactor {
  const needles = [...new Set(valuesToFind(options.values ?? []).flatMap(secretForms))]
  const find = createTextFinder(needles)
  const tools: Tools = {
    find,
    searchNumbers: needles.some((needle) => /^[-+.\deE]+$/.test(needle)),
    isSecret: createKeyTest(options.keys ?? []),
    mask: createMask(needles, find),
  }
  return {
    redact: (value) => redactValue(tools, value, false, 0),
    redactText: (text) => redactText(tools, text),
  }
}

/** Without the spaces around them, as a line read from a file may have. */
function valuesToFind(values: readonly string[]): readonly string[] {
  return values
    .map((value) => (value.trim().length < shortestNeedle ? value : value.trim()))
    .filter((value) => value.length >= shortestNeedle)
}

/** Agents choose the names, so only so many of them are remembered, and only short ones. */
const rememberedKeys = 2_000
const rememberedLength = 128

function createKeyTest(patterns: readonly string[]): (key: string) => boolean {
  const extra = patterns.map((pattern) => compileGlob(pattern.toLowerCase()))
  const known = new Map<string, boolean>()
  return (key) => {
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered
    const name = key.toLowerCase()
    const isSecret = isSecretKey(key) || extra.some((matches) => matches(name))
    if (known.size >= rememberedKeys) known.clear()
    if (key.length <= rememberedLength) known.set(key, isSecret)
    return isSecret
  }
}

/**
 * A mask must not spell a secret itself, such as the configured value "secret". Its brackets occur in no needle, so none
 * reaches across them; and where the words between them hold one, nothing is said.
 */
function createMask(needles: readonly string[], find: TextFinder): (words: string) => string {
  const isFree = (bracket: string): boolean => !needles.some((needle) => needle.includes(bracket))
  let [open, close] = ["‹", "›"]
  for (let code = 0xe000; !isFree(open) || !isFree(close); code += 2) {
    open = String.fromCharCode(code)
    close = String.fromCharCode(code + 1)
  }
  return (words) => (find(words).length === 0 ? `${open}${words}${close}` : `${open}${close}`)
}

function maskOf(tools: Tools, length: number): string {
  return tools.mask(secretInWords(length))
}

function redactText(tools: Tools, text: string): string {
  const spans = tools.find(text)
  if (spans.length === 0) return text
  let redacted = ""
  let from = 0
  for (const { start, end } of spans) {
    redacted += text.slice(from, start) + maskOf(tools, end - start)
    from = end
  }
  return redacted + text.slice(from)
}

function redactValue(tools: Tools, value: JsonValue, isSecret: boolean, depth: number): JsonValue {
  if (typeof value === "string") {
    if (isSecret) return value === "" ? value : maskOf(tools, value.length)
    return redactText(tools, value)
  }
  if (typeof value === "number") return redactNumber(tools, value, value, isSecret)
  if (value === null || typeof value === "boolean") return value
  if (isRawNumber(value)) return redactNumber(tools, value, value.rawJSON, isSecret)
  if (depth >= greatestDepth) return tools.mask("nested too deeply to be kept")
  if (isArray(value)) return redactArray(tools, value, isSecret, depth + 1)
  return redactObject(tools, value, isSecret, depth + 1)
}

function redactNumber(tools: Tools, value: JsonValue, source: number | string, isSecret: boolean): JsonValue {
  if (isSecret) return maskOf(tools, String(source).length)
  if (!tools.searchNumbers) return value
  const text = String(source)
  return tools.find(text).length === 0 ? value : maskOf(tools, text.length)
}

function redactArray(tools: Tools, array: readonly JsonValue[], isSecret: boolean, depth: number): JsonValue {
  let copy: JsonValue[] | undefined
  for (let at = 0; at < array.length; at++) {
    const item = array[at] as JsonValue
    const redacted = redactValue(tools, item, isSecret, depth)
    if (redacted !== item) copy ??= array.slice(0, at)
    copy?.push(redacted)
  }
  return copy ?? array
}

type Entry = readonly [key: string, value: JsonValue]

function redactObject(tools: Tools, object: JsonObject, isSecret: boolean, depth: number): JsonValue {
  const keys = Object.keys(object)
  const secretMember = !isSecret && namesSecret(tools, object) ? "value" : null
  let copy: Entry[] | undefined
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] as string
    const value = object[key] as JsonValue
    const name = redactText(tools, key)
    const redacted = redactValue(tools, value, isSecret || key === secretMember || tools.isSecret(key), depth)
    if (redacted !== value || name !== key)
      copy ??= keys.slice(0, at).map((before) => [before, object[before] as JsonValue])
    copy?.push([name, redacted])
  }
  // `fromEntries` makes own members of them all, also of one called `__proto__`.
  return copy === undefined ? object : Object.fromEntries(distinct(tools, copy))
}

/** `{ name: "DB_PASSWORD", value: … }`, as lists of headers and variables are written. */
function namesSecret(tools: Tools, object: JsonObject): boolean {
  if (!Object.hasOwn(object, "value")) return false
  return ["name", "key"].some((member) => {
    const name = Object.hasOwn(object, member) ? object[member] : undefined
    return typeof name === "string" && tools.isSecret(name)
  })
}

/** Names that became the same by masking are numbered, so that no member is lost. */
function distinct(tools: Tools, entries: readonly Entry[]): readonly Entry[] {
  const used = new Set<string>()
  let count = 1
  return entries.map(([name, value]) => {
    let unused = name
    while (used.has(unused)) unused += tools.mask(String(++count))
    used.add(unused)
    return [unused, value]
  })
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
