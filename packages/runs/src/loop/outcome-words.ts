import {
  asObject,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  memberAt,
  type Outcome,
  objectAt,
  textAt,
} from "@byleave/core"

/** What AI SDK gives to models as the result of a tool. */
export type ModelOutput =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "error-text"; readonly value: string }
  | { readonly type: "content"; readonly value: readonly OutputPart[] }

type OutputPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "file"
      readonly data: { readonly type: "data"; readonly data: string }
      readonly mediaType: string
    }

/** An outcome as the model reads it. */
export function modelOutput(outcome: Outcome): ModelOutput {
  switch (outcome.kind) {
    case "result":
      return fromResult(outcome.result, notesOf(outcome))
    case "error":
      return { type: "error-text", value: withNotes(errorText(outcome.error), notesOf(outcome)) }
    case "unknown":
      return {
        type: "error-text",
        value: `It is not known whether this call ran: ${outcome.detail} Do not repeat it without asking the user.`,
      }
    case "refusal":
      return { type: "error-text", value: outcome.refusal.reason || "This call was denied." }
    case "ticket":
      return { type: "error-text", value: "This call still waits for approval." }
  }
}

function notesOf(outcome: Extract<Outcome, { kind: "result" | "error" }>): readonly string[] {
  return outcome.notes.includes("edited") ? ["(A reviewer changed the arguments of this call before it ran.)"] : []
}

function fromResult(result: JsonValue, notes: readonly string[]): ModelOutput {
  const content = listAt(asObject(result), "content")?.filter(isObject)
  if (content === undefined) return { type: "text", value: withNotes(JSON.stringify(result), notes) }
  const parts = content.map(partOf)
  const text = parts.every((part) => part.type === "text")
    ? parts.map((part) => (part.type === "text" ? part.text : "")).join("\n")
    : null
  if (memberAt(asObject(result), "isError") === true) {
    return { type: "error-text", value: withNotes(text ?? JSON.stringify(content), notes) }
  }
  if (text !== null) return { type: "text", value: withNotes(text, notes) }
  return { type: "content", value: [...parts, ...notes.map((note) => ({ type: "text" as const, text: note }))] }
}

function partOf(block: JsonObject): OutputPart {
  const { type, text, data, mimeType } = block
  if (type === "text" && typeof text === "string") return { type: "text", text }
  if ((type === "image" || type === "audio") && typeof data === "string" && typeof mimeType === "string") {
    return { type: "file", data: { type: "data", data }, mediaType: mimeType }
  }
  const embedded = type === "resource" ? textAt(objectAt(block, "resource"), "text") : undefined
  if (embedded !== undefined) return { type: "text", text: embedded }
  return { type: "text", text: JSON.stringify(block) }
}

function errorText(error: JsonValue): string {
  if (typeof error === "string") return error
  const message = textAt(asObject(error), "message")
  if (message !== undefined) return message
  const told = fromResult(error, [])
  return told.type === "content" ? JSON.stringify(error) : told.value
}

function withNotes(text: string, notes: readonly string[]): string {
  return [text, ...notes].join("\n")
}
