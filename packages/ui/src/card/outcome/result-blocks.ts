import { holdsSecret } from "@byleave/api/page"
import { isObject, type JsonObject, type JsonValue, memberAt, sizeInWords } from "@byleave/core"

/** The blocks of a tool's result: text to read, or words about what is not text. */
export type ResultBlock =
  /** `isSecret`: something in it looks like one, by its own shape or, where the text is JSON, by its name. */
  | { readonly kind: "text"; readonly text: string; readonly isSecret: boolean }
  | { readonly kind: "other"; readonly words: string; readonly detail: string | null }
  | { readonly kind: "json"; readonly value: JsonValue }

/** A piece as it was given: nobody has looked at it yet, since servers choose how many there are. */
export type ResultPart = { readonly kind: "text" | "content" | "json"; readonly value: JsonValue }

/** Of a result as MCP shapes it; anything else is shown as the JSON it is. */
export function resultParts(result: JsonValue): readonly ResultPart[] {
  if (typeof result === "string") return [{ kind: "text", value: result }]
  const content = isObject(result) ? memberAt(result, "content") : undefined
  if (!isObject(result) || !Array.isArray(content)) return [{ kind: "json", value: result }]
  const parts = (content as readonly JsonValue[]).map((value): ResultPart => ({ kind: "content", value }))
  const structured = memberAt(result, "structuredContent")
  return structured === undefined ? parts : [...parts, { kind: "json", value: structured }]
}

export function resultBlock({ kind, value }: ResultPart): ResultBlock {
  if (kind === "text" && typeof value === "string") return textBlock(value)
  return kind === "content" ? contentBlock(value) : { kind: "json", value }
}

function contentBlock(block: JsonValue): ResultBlock {
  if (!isObject(block)) return { kind: "json", value: block }
  const type = textOf(block, "type")
  const text = textOf(block, "text")
  const bytes = textOf(block, "data")
  if (type === "text" && text !== null) return textBlock(text)
  if ((type === "image" || type === "audio") && bytes !== null) {
    return { kind: "other", words: `${type}, ${sizeInWords(base64Size(bytes))}`, detail: textOf(block, "mimeType") }
  }
  return type === "resource" ? resourceBlock(block) : { kind: "json", value: block }
}

function textBlock(text: string): ResultBlock {
  return { kind: "text", text, isSecret: holdsSecret(text) }
}

function resourceBlock(block: JsonObject): ResultBlock {
  const resource = memberAt(block, "resource")
  if (resource === undefined || !isObject(resource)) return { kind: "json", value: block }
  const blob = textOf(resource, "blob")
  if (blob === null) return { kind: "json", value: resource }
  return { kind: "other", words: `a file, ${sizeInWords(base64Size(blob))}`, detail: textOf(resource, "uri") }
}

function base64Size(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding)
}

function textOf(object: JsonObject, name: string): string | null {
  const value = memberAt(object, name)
  return typeof value === "string" ? value : null
}
