import { asObject, type JsonValue, memberAt, objectAt, readStoredJson, textAt } from "@byleave/core"
import type { Message, ResponseMessage } from "../../wire/message.ts"
import { readMessages } from "../../wire/read-message.ts"

/** A message as a server sent it. */
export type Received = {
  readonly message: Message
  /** A result that the strict reader refuses though it is JSON, such as one with half of an emoji that a tool cut in two. */
  readonly loose: boolean
}

export type ReadReceived =
  | { readonly ok: true; readonly received: readonly Received[] }
  | { readonly ok: false; readonly problem: string }

/** Deeper, and with more values, than what a caller may send: a result is data that is passed on, and nobody decides by it. */
const greatestDepth = 512
const mostValues = 500_000

/** Reads what a server sent: one message, or the batch that one legacy revision allows. Never throws: it runs where nobody would catch it. */
export function readReceived(text: string, maxBytes: number, values = mostValues): ReadReceived {
  try {
    return readText(text, maxBytes, values)
  } catch {
    return { ok: false, problem: "It could not be read." }
  }
}

function readText(text: string, maxBytes: number, values: number): ReadReceived {
  const limits = { bytes: maxBytes, depth: greatestDepth, values }
  const read = readMessages(text, limits, Number.POSITIVE_INFINITY)
  if (read.ok) return { ok: true, received: read.messages.map((message) => ({ message, loose: false })) }
  const { data, message } = read.error
  const code = textAt(asObject(data), "code") ?? ""
  const result = looseProblems.has(code) ? looseResult(text) : undefined
  return result === undefined
    ? { ok: false, problem: message }
    : { ok: true, received: [{ message: result, loose: true }] }
}

// Two equal keys stay refused: which of them is meant depends on the reader.
const looseProblems: ReadonlySet<string> = new Set(["lone-surrogate", "case-equal-keys", "nfc-equal-keys"])

function looseResult(text: string): ResponseMessage | undefined {
  const object = asObject(parsed(text))
  const isResult =
    memberAt(object, "jsonrpc") === "2.0" &&
    typeof memberAt(object, "id") === "number" &&
    objectAt(object, "result") !== undefined &&
    memberAt(object, "method") === undefined &&
    memberAt(object, "error") === undefined
  return isResult ? (object as unknown as ResponseMessage) : undefined
}

function parsed(text: string): JsonValue | undefined {
  try {
    return readStoredJson(text)
  } catch {
    // The strict reader stopped before it came to what is no JSON at all.
    return undefined
  }
}
