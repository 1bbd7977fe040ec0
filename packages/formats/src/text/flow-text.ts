import type { JsonValue } from "@byleave/core"

/** A value on one line, which YAML reads and, with `quoteKeys`, JSON does too. */
export function flowText(value: JsonValue, quoteKeys: boolean): string {
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => flowText(item, quoteKeys)).join(", ")}]`
  if (!isRecord(value)) return JSON.stringify(value)
  const pairs = Object.entries(value).map(([key, item]) => `${keyText(key, quoteKeys)}: ${flowText(item, quoteKeys)}`)
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`
}

/** An entry of a list, a line for each key. Several conditions have a line each: they are long. */
export function itemLines(item: JsonValue, indent = 0): readonly string[] {
  const before = " ".repeat(indent)
  return Object.entries(item as { readonly [key: string]: JsonValue }).flatMap(([key, value], at) => {
    const head = `${before}${at === 0 ? "- " : "  "}${keyText(key, false)}:`
    const inner = isRecord(value) ? Object.entries(value) : []
    if (inner.length < 2 || !inner.every(([, each]) => isRecord(each))) return `${head} ${flowText(value, false)}`
    return [head, ...inner.map(([name, each]) => `${before}    ${keyText(name, false)}: ${flowText(each, false)}`)]
  })
}

/** A key that is read back as the same text. */
export function keyText(key: string, quote: boolean): string {
  return !quote && /^[a-zA-Z][a-zA-Z0-9_.]*$/.test(key) && !/^(?:true|false|null)$/i.test(key)
    ? key
    : JSON.stringify(key)
}

function isRecord(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  // A number kept as its text is an object, too, but `JSON.stringify` writes it as the number.
  return typeof value === "object" && value !== null && JSON.stringify(value).startsWith("{")
}
