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

/** The result of a tool in the form that AI SDK gives to models. */
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

/** The parts of an outcome that are kept once it is written: what the model is told, and why the call was denied, or null. The rest of a result may be large, and tells the model nothing. */
export type ToldOutcome = { readonly output: ModelOutput; readonly denied: string | null }

export function toldOf(outcome: Outcome): ToldOutcome {
  return { output: modelOutput(outcome), denied: outcome.kind === "refusal" ? outcome.refusal.reason : null }
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
  if (memberAt(asObject(result), "isError") === true) {
    return { type: "error-text", value: withNotes(joinedText(content) ?? JSON.stringify(content), notes) }
  }
  const text = joinedText(content)
  if (text !== null) return { type: "text", value: withNotes(text, notes) }
  const parts = content.slice(0, mostParts).map(partOf)
  const left = content.length - parts.length
  const said = left === 0 ? notes : [`(This result has ${left} parts more, which are left out.)`, ...notes]
  return { type: "content", value: [...parts, ...said.map(textPart)] }
}

/** Parts of a result that holds more than text. Each is an object of its own for the model's server, and may be a file. */
const mostParts = 1_000

/** The text of a result that holds nothing else, or null. */
function joinedText(content: readonly JsonObject[]): string | null {
  const texts: string[] = []
  for (const block of content) {
    const part = isFile(block) ? partOf(block) : textOf(block)
    if (typeof part === "string") texts.push(part)
    else if (part.type === "text") texts.push(part.text)
    else return null
  }
  return texts.join("\n")
}

function partOf(block: JsonObject): OutputPart {
  if (!isFile(block)) return textPart(textOf(block))
  const { type, mimeType } = block
  const data = plainBase64(block.data)
  if (data === null) return textPart(`(The ${type} of this result cannot be read.)`)
  if (!mediaType.test(mimeType)) return textPart(`(The ${type} of this result is of an unknown kind.)`)
  return { type: "file", data: { type: "data", data }, mediaType: mimeType }
}

type FileBlock = JsonObject & { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }

function isFile(block: JsonObject): block is FileBlock {
  const { type, data, mimeType } = block
  return (type === "image" || type === "audio") && typeof data === "string" && typeof mimeType === "string"
}

/** The same bytes as base64 that every reader takes: without spaces, in the usual alphabet. Null where it is none. */
function plainBase64(data: string): string | null {
  const text = data.replaceAll(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/")
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0
  const letters = text.length - padding
  // A search for what does not belong there: matching all of it would take memory for every letter.
  const isPlain = text.search(/[^A-Za-z0-9+/]/) === (padding === 0 ? -1 : letters)
  const isWhole = padding === 0 ? letters % 4 !== 1 : text.length % 4 === 0
  return letters > 0 && isPlain && isWhole ? text : null
}

const mediaType = /^(?:image|audio)\/[\w.+-]{1,100}$/

function textOf(block: JsonObject): string {
  const { type, text } = block
  if (type === "text" && typeof text === "string") return text
  const embedded = type === "resource" ? textAt(objectAt(block, "resource"), "text") : undefined
  return embedded ?? JSON.stringify(block)
}

function textPart(text: string): Extract<OutputPart, { type: "text" }> {
  return { type: "text", text }
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
