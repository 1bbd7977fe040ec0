/**
 * Text to messages: the strict reader's problems and JSON-RPC's own as errors that can be sent back.
 *
 * I1. No message is read but by the strict reader: a key twice, or keys equal but for case, never get further.
 * I2. An id is a text, of bounded length where a client sends it, or a whole number that a double holds, so that no two requests are one, and none keeps more than a few bytes while it
 *     is answered.
 * I3. A message asks or answers, never both.
 * I4. Of a batch with one bad message nothing is taken.
 */
import { asObject, type JsonObject, type JsonValue, memberAt, type ReadLimits, readJson, textAt } from "@byleave/core"
import { errorCode, rpcError } from "./errors.ts"
import type { Message, NotificationMessage, RequestId, RequestMessage, ResponseMessage, RpcError } from "./message.ts"

export type ReadMessages =
  | { readonly ok: true; readonly messages: readonly Message[]; readonly batch: boolean }
  /** `id` is that of the request in question, where one could be read. */
  | { readonly ok: false; readonly error: RpcError; readonly id: RequestId | null }

/** Clients use some dozen characters. An id is kept for as long as its request is open, which may be days. */
const longestOfClients = 256

/**
 * Reads one message, or a batch of them; whether a batch is in order here is the caller's to say. `longestId`: what a server's message says may have any
 * length, for it is only kept while its few questions are open.
 */
export function readMessages(text: string, limits?: ReadLimits, longestId = longestOfClients): ReadMessages {
  const read = readJson(text, limits)
  if (!read.ok) {
    const { code, message, path } = read.problem
    const error = code === "syntax" ? errorCode.parse : errorCode.invalidRequest
    return { ok: false, error: rpcError(error, message, { code, path }), id: null }
  }
  if (!Array.isArray(read.value)) {
    const one = messageOf(read.value, longestId)
    return one.ok ? { ok: true, messages: [one.message], batch: false } : one
  }
  return readBatch(read.value, longestId)
}

// A batch is answered in one piece, and 2025-03-26 sets no limit of its own.
const greatestBatch = 100

function readBatch(values: readonly JsonValue[], longestId: number): ReadMessages {
  if (values.length === 0) return invalid("The batch is empty. Send at least one message.", null)
  if (values.length > greatestBatch) return invalid(`Send at most ${greatestBatch} messages in one batch.`, null)
  const messages: Message[] = []
  for (const value of values) {
    const one = messageOf(value, longestId)
    if (!one.ok) return { ...one, id: null }
    messages.push(one.message)
  }
  return { ok: true, messages, batch: true }
}

type One = { readonly ok: true; readonly message: Message } | Extract<ReadMessages, { readonly ok: false }>

function messageOf(value: JsonValue, longestId: number): One {
  const object = asObject(value)
  if (object === undefined) return invalid("A JSON-RPC message is an object.", null)
  const id = memberAt(object, "id")
  const known = isId(id) && (typeof id === "number" || id.length <= longestId) ? id : null
  if (memberAt(object, "jsonrpc") !== "2.0") return invalid('A message says "jsonrpc": "2.0".', known)
  if (Object.hasOwn(object, "method")) return askOf(object, id, known, longestId)
  if (Object.hasOwn(object, "result") || Object.hasOwn(object, "error")) return responseOf(object, id, known)
  return invalid("A message has a method, a result or an error.", known)
}

function askOf(object: JsonObject, id: JsonValue | undefined, known: RequestId | null, longestId: number): One {
  if (textAt(object, "method") === undefined) return invalid("The method is a string.", known)
  if (Object.hasOwn(object, "result") || Object.hasOwn(object, "error")) {
    return invalid("A message has a method or an outcome, not both.", known)
  }
  if (Object.hasOwn(object, "params")) {
    const params = asObject(object.params)
    if (params === undefined) return invalid("The params are an object.", known)
    if (Object.hasOwn(params, "_meta") && asObject(params._meta) === undefined) {
      return invalid("The _meta of params is an object.", known)
    }
  }
  if (!Object.hasOwn(object, "id")) return { ok: true, message: object as unknown as NotificationMessage }
  if (known === null) return invalid(whyNoRequestId(id, longestId), null)
  return { ok: true, message: object as unknown as RequestMessage }
}

function responseOf(object: JsonObject, id: JsonValue | undefined, known: RequestId | null): One {
  if (Object.hasOwn(object, "error")) {
    const error = asObject(object.error)
    if (Object.hasOwn(object, "result")) return invalid("A response has a result or an error, not both.", known)
    if (error === undefined || !Number.isInteger(error.code) || textAt(error, "message") === undefined) {
      return invalid("An error has a whole number as code and a message.", known)
    }
    if (known === null && id !== undefined && id !== null)
      return invalid("The id of a response is the request's.", null)
    return { ok: true, message: { ...object, id: known } as unknown as ResponseMessage }
  }
  if (known === null) return invalid("The id of a response is the request's.", null)
  if (asObject(object.result) === undefined) return invalid("The result is an object.", known)
  return { ok: true, message: object as unknown as ResponseMessage }
}

// Whole numbers beyond what a double holds come as raw numbers, which are objects, and are refused with them.
function isId(id: JsonValue | undefined): id is RequestId {
  return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id))
}

function whyNoRequestId(id: JsonValue | undefined, longestId: number): string {
  return typeof id === "string"
    ? `The id of a request may have ${longestId} characters; this one has ${id.length}.`
    : `The id of a request is a string or a whole number, not ${spoken(id)}.`
}

function spoken(id: JsonValue | undefined): string {
  return id === null
    ? "null"
    : Array.isArray(id)
      ? "an array"
      : typeof id === "number"
        ? "a fraction"
        : `a ${typeof id}`
}

function invalid(message: string, id: RequestId | null): Extract<ReadMessages, { readonly ok: false }> {
  return { ok: false, error: rpcError(errorCode.invalidRequest, message), id }
}

export function isRequest(message: Message): message is RequestMessage {
  return "method" in message && "id" in message
}

export function isNotification(message: Message): message is NotificationMessage {
  return "method" in message && !("id" in message)
}
