import { type JsonObject, type JsonValue, readJson, readStoredJson } from "@byleave/core"
import { asObject } from "../wire/members.ts"
import type { Message, NotificationMessage, RequestMessage, ResponseMessage } from "../wire/message.ts"

/** A message as a server sent it. */
export type Received = {
  readonly message: Message
  /** It holds what the strict reader refuses though it is JSON, such as half of an emoji that a tool cut in two. Good for results, never for definitions. */
  readonly loose: boolean
}

export type ReadReceived =
  | { readonly ok: true; readonly received: readonly Received[] }
  | { readonly ok: false; readonly problem: string }

/** Reads what a server sent: one message, or the batch that one legacy revision allows. */
export function readReceived(text: string, maxBytes: number): ReadReceived {
  const read = readJson(text, { bytes: maxBytes, depth: 512 })
  if (read.ok) return messagesOf(read.value, false)
  if (!looseProblems.has(read.problem.code)) return { ok: false, problem: read.problem.message }
  try {
    return messagesOf(readStoredJson(text), true)
  } catch {
    return { ok: false, problem: read.problem.message }
  }
}

// Two equal keys stay refused: which of them is meant depends on the reader.
const looseProblems: ReadonlySet<string> = new Set(["lone-surrogate", "case-equal-keys", "nfc-equal-keys"])

function messagesOf(value: JsonValue, loose: boolean): ReadReceived {
  const received: Received[] = []
  for (const one of Array.isArray(value) ? (value as readonly JsonValue[]) : [value]) {
    const message = messageOf(one)
    if (message === undefined) return { ok: false, problem: "It is JSON, but no JSON-RPC 2.0 message." }
    received.push({ message, loose })
  }
  return { ok: true, received }
}

function messageOf(value: JsonValue): Message | undefined {
  const object = asObject(value)
  if (object === undefined || object.jsonrpc !== "2.0") return undefined
  if (typeof object.method !== "string") return responseOf(object)
  if (object.params !== undefined && asObject(object.params) === undefined) return undefined
  if (object.id === undefined) return object as unknown as NotificationMessage
  return isId(object.id) ? (object as unknown as RequestMessage) : undefined
}

function responseOf(object: JsonObject): ResponseMessage | undefined {
  const { id, result, error } = object
  if (error === undefined) {
    return isId(id) && asObject(result) !== undefined ? (object as unknown as ResponseMessage) : undefined
  }
  const told = asObject(error)
  if (result !== undefined || typeof told?.code !== "number" || typeof told.message !== "string") return undefined
  if (isId(id)) return object as unknown as ResponseMessage
  // Some servers leave the id of an error out where they could not read it.
  return id === null || id === undefined ? ({ ...object, id: null } as unknown as ResponseMessage) : undefined
}

function isId(id: JsonValue | undefined): id is string | number {
  return typeof id === "string" || typeof id === "number"
}
