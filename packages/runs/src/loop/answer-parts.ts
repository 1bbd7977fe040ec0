/** The stored form of an answer: its parts, with the deltas of one text as one. Every kind of part counts, and none for nothing. */
import type { LanguageModelV4File, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { argumentBytes } from "../journal/line-bytes.ts"
import { UnusableAnswer } from "../models/unusable-answer.ts"
import { type Delta, isDelta, isSameText } from "./part-reader.ts"
import { refusalOf } from "./refused-calls.ts"

export type AnswerParts = {
  readonly add: (part: LanguageModelV4StreamPart) => void
  /** About how many bytes of the journal they take. */
  readonly bytes: () => number
  /** All of them; nothing of the arguments that a refused call was written with. */
  readonly kept: () => readonly LanguageModelV4StreamPart[]
}

export function createAnswerParts(): AnswerParts {
  const parts: LanguageModelV4StreamPart[] = []
  /** A text that may go on. */
  let open: { readonly first: Delta; text: string } | null = null
  let bytes = 0
  const close = (): void => {
    if (open !== null) parts.push({ ...open.first, delta: open.text })
    open = null
  }
  return {
    add: (part) => {
      if (open !== null && isDelta(part) && isSameText(open.first, part)) {
        open.text += part.delta
        bytes += part.delta.length
        return
      }
      close()
      const added = part.type === "file" ? withText(part) : part
      bytes += sizeOf(added)
      if (isDelta(added)) open = { first: added, text: added.delta }
      else parts.push(added)
    },
    bytes: () => bytes,
    kept: () => {
      close()
      const refused = new Set(
        parts.flatMap((part) => (part.type === "tool-call" && refusalOf(part) !== undefined ? [part.toolCallId] : [])),
      )
      return refused.size === 0
        ? parts
        : parts.filter((part) => part.type !== "tool-input-delta" || !refused.has(part.id))
    },
  }
}

/** About what a part takes besides its words, and the values of its arguments. */
const frame = 64

function sizeOf(part: LanguageModelV4StreamPart): number {
  if (part.type === "tool-call") return textSizeOf(part) + argumentBytes(part.input)
  return textSizeOf(part)
}

function textSizeOf(part: LanguageModelV4StreamPart): number {
  if (part.type === "tool-call" && part.providerMetadata === undefined) {
    return frame + part.toolCallId.length + part.toolName.length + part.input.length
  }
  if (isDelta(part) && part.providerMetadata === undefined) return frame + part.id.length + part.delta.length
  try {
    return JSON.stringify(part).length
  } catch {
    throw new UnusableAnswer("too-deep", "The model's answer is nested too deep to be kept.")
  }
}

/** Bytes as base64: what JSON can hold. */
function withText(part: LanguageModelV4File): LanguageModelV4File {
  const { data } = part
  if (data.type !== "data" || typeof data.data === "string") return part
  return { ...part, data: { type: "data", data: base64Of(data.data) } }
}

function base64Of(bytes: Uint8Array): string {
  let text = ""
  const atOnce = 8_192
  for (let at = 0; at < bytes.length; at += atOnce) text += String.fromCharCode(...bytes.subarray(at, at + atOnce))
  return btoa(text)
}
