/**
 * JSON-RPC messages on stdio, one to a line, read so that the reader at the other end cannot read another message than the one that was judged.
 *
 * I1. A line is a message only where its members say one thing: no name of the envelope in another case, no method beside a result, no batch.
 * I2. The text of a message is one line to every reader, and holds the members that were read: a line that is not read strictly is written anew.
 */
import { isUtf8 } from "node:buffer"
import {
  asObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  memberAt,
  objectAt,
  type RawNumber,
  readJson,
  splitLines,
  textAt,
} from "@byleave/core"

export type MessageId = string | number | RawNumber

type Told = {
  readonly method: string
  readonly params: JsonObject
  /** The line to pass on. */
  readonly text: string
  /** Why the parameters cannot be put to a person or to rules; null: they can. */
  readonly problem: MessageProblem | null
}

/** `size`: only larger than what is judged. `reading`: readers may disagree about what it says. */
export type MessageProblem = { readonly kind: "size" | "reading"; readonly message: string }

export type ReadMessage =
  | (Told & { readonly kind: "request"; readonly id: MessageId })
  | (Told & { readonly kind: "notification" })
  | { readonly kind: "response"; readonly id: MessageId | null; readonly text: string }
  /** JSON, and no message; `ids`: of what may be waited for. */
  | { readonly kind: "malformed"; readonly ids: ReadonlyArray<MessageId | null>; readonly why: string }
  | { readonly kind: "unreadable"; readonly why: string }

/** Large files and pictures are shown, read and written in one line. */
const greatestLine = 64 * 1024 * 1024
const greatestLimits = { bytes: greatestLine, values: 5_000_000, depth: 1_000 }
const longestId = 1_000

/** Cuts bytes into lines, and reads each; empty ones are left out. */
export function messageLines(onMessage: (message: ReadMessage) => void): (bytes: Uint8Array) => void {
  return splitLines(
    (bytes) => bytes <= greatestLine,
    (bytes) => {
      const message: ReadMessage | null =
        bytes === null ? { kind: "unreadable", why: "it is larger than 64 MiB" } : readMessage(bytes)
      if (message !== null) onMessage(message)
      return true
    },
  )
}

/** Ids are equal where type and value are. */
export function idKey(id: JsonValue): string {
  return JSON.stringify(id)
}

function readMessage(bytes: Uint8Array): ReadMessage | null {
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")
  if (line.trim() === "") return null
  const read = readLine(line, isUtf8(bytes))
  if (read === null) return { kind: "unreadable", why: "it is not JSON that can be read" }
  // Some readers end a line at a lone carriage return, which is nothing but space in JSON.
  return messageIn({ ...read, text: read.text.replaceAll("\r", " ") })
}

type ReadText = { readonly value: JsonValue; readonly text: string; readonly problem: MessageProblem | null }

function readLine(line: string, isText: boolean): ReadText | null {
  const strict = readJson(line)
  if (strict.ok && isText) return { value: strict.value, text: line, problem: null }
  const large = strict.ok ? strict : readJson(line, greatestLimits)
  if (large.ok && !strict.ok && isText) {
    return { value: large.value, text: line, problem: { kind: "size", message: strict.problem.message } }
  }
  const message = large.ok ? "The text is not UTF-8." : large.problem.message
  try {
    const value = JSON.parse(line) as JsonValue
    return { value, text: JSON.stringify(value), problem: { kind: "reading", message } }
  } catch {
    return null
  }
}

function messageIn({ value, text, problem }: ReadText): ReadMessage {
  const message = asObject(value)
  if (message === undefined) {
    return { kind: "malformed", ids: Array.isArray(value) ? value.flatMap(idsIn) : [], why: "it is not one message" }
  }
  const malformed = (why: string): ReadMessage => ({ kind: "malformed", ids: idsIn(message), why })
  if (Object.keys(message).some(isLikeAName)) return malformed("it has a member whose name differs only in case")
  const has = (name: string): boolean => Object.hasOwn(message, name)
  const id = memberAt(message, "id")
  if (!has("method")) {
    if (has("result") === has("error")) return malformed("it is neither a request nor an answer")
    return id === null || isId(id)
      ? { kind: "response", id, text }
      : malformed("its id is neither short text nor a number")
  }
  const method = textAt(message, "method")
  if (method === undefined || has("result") || has("error")) return malformed("it is not one request")
  const told = { method, params: objectAt(message, "params") ?? {}, text, problem }
  if (id === undefined) return { kind: "notification", ...told }
  return isId(id) ? { kind: "request", id, ...told } : malformed("its id is neither short text nor a number")
}

const names = ["jsonrpc", "id", "method", "params", "result", "error"]

function isLikeAName(key: string): boolean {
  return !names.includes(key) && names.includes(key.toUpperCase().toLowerCase())
}

function isId(id: JsonValue | undefined): id is MessageId {
  return (typeof id === "number" || typeof id === "string" || isRawNumber(id)) && idKey(id).length <= longestId
}

function idsIn(value: JsonValue): ReadonlyArray<MessageId | null> {
  const message = asObject(value)
  const id = memberAt(message, "id")
  if (id === undefined || !Object.keys(message ?? {}).some((key) => key.toLowerCase() === "method")) return []
  return [isId(id) ? id : null]
}
