/**
 * Reads the bytes of answers in HTTP/1.1, however they are cut. Strict where leniency would let two readers disagree about where an
 * answer ends: such an answer is a problem, and its connection is of no more use.
 *
 * I1. An answer that says in two ways where it ends is a problem, never a guess.
 * I2. So is one that says its length twice, though it be the same.
 * I3. A connection on which more came than the answer carries no other request.
 * I4. What was closed before its end is not complete.
 */
import { trimBlanks } from "../wire/headers/trim-blanks.ts"

export type ResponseHead = {
  readonly status: number
  /** Names in lower case; of those that come twice the first. */
  readonly headers: ReadonlyMap<string, string>
}

export type ResponseEvents = {
  readonly onHead: (head: ResponseHead) => void
  readonly onChunk: (chunk: Buffer) => void
  /** All of it has come. `reusable`: the connection may carry another request. */
  readonly onEnd: (reusable: boolean) => void
}

export type ResponseReader = {
  /** Returns the problem, once there is one; nothing may be fed after that. After an end the next answer may begin. */
  readonly feed: (bytes: Buffer) => string | null
  /** The server closed the connection in an orderly way, which is how some answers end. False: there should have been more. */
  readonly close: () => boolean
}

type Framing = { readonly kind: "length"; readonly bytes: number } | { readonly kind: "chunked" | "close" }
type State = "head" | "sized" | "chunk-size" | "chunk" | "chunk-end" | "trailers" | "until-close" | "over"

/** Of a head, of a chunk's first line, and of all trailers. */
const mostHeadBytes = 16 * 1024
const headEnd = Buffer.from("\r\n\r\n")
const lineEnd = Buffer.from("\r\n")

export function createResponseReader(events: ResponseEvents): ResponseReader {
  let state: State = "head"
  let kept: Buffer | null = null
  let left = 0
  let trailerBytes = 0
  let keepsAlive = false
  let known: KnownHead | null = null

  /** Reads as much as it can from `at` on; returns where it stopped, or the problem. */
  function step(bytes: Buffer, at: number): number | string {
    switch (state) {
      case "head":
        return takeHead(bytes, at)
      case "sized":
      case "chunk":
        return takeBytes(bytes, at)
      case "chunk-size":
        return takeLine(bytes, at, beginChunk)
      case "chunk-end":
        return takeLine(bytes, at, endChunk)
      case "trailers":
        return takeLine(bytes, at, takeTrailer)
      case "until-close":
        events.onChunk(at === 0 ? bytes : bytes.subarray(at))
        return bytes.length
      case "over":
        return at
    }
  }

  function takeHead(bytes: Buffer, at: number): number | string {
    if (known === null || !isAt(bytes, at, known.bytes)) {
      const read = readNewHead(bytes, at)
      if (typeof read !== "object") return read
      known = read
    }
    keepsAlive = known.framing.kind !== "close" && known.head.keepsAlive
    begin(known.framing)
    events.onHead(known.head)
    return at + known.bytes.length
  }

  function begin(framing: Framing): void {
    if (framing.kind === "length") {
      left = framing.bytes
      state = left === 0 ? "over" : "sized"
    } else state = framing.kind === "chunked" ? "chunk-size" : "until-close"
  }

  function takeBytes(bytes: Buffer, at: number): number {
    const part = bytes.subarray(at, at + left)
    left -= part.length
    if (left === 0) state = state === "chunk" ? "chunk-end" : "over"
    events.onChunk(part)
    return at + part.length
  }

  function takeLine(bytes: Buffer, at: number, take: (line: string) => string | null): number | string {
    const end = bytes.indexOf(lineEnd, at)
    if ((end < 0 ? bytes.length : end) - at > mostHeadBytes) return "A line of it is too long."
    if (end < 0) return at
    return take(bytes.toString("latin1", at, end)) ?? end + lineEnd.length
  }

  function beginChunk(line: string): string | null {
    const size = sizeOf(line)
    if (size === undefined) return "The size of a part cannot be read."
    left = size
    state = left === 0 ? "trailers" : "chunk"
    return null
  }

  function endChunk(line: string): string | null {
    state = "chunk-size"
    return line === "" ? null : "A part is longer than it says."
  }

  function takeTrailer(line: string): string | null {
    trailerBytes += line.length
    if (line === "") state = "over"
    else if (!headerLines.test(`\r\n${line}`)) return "A line behind it cannot be read."
    return trailerBytes > mostHeadBytes ? "What follows it is too long." : null
  }

  function feed(input: Buffer): string | null {
    const bytes = kept === null ? input : Buffer.concat([kept, input])
    kept = null
    let at = 0
    while (at < bytes.length && state !== "over") {
      const next = step(bytes, at)
      if (typeof next === "string") return next
      if (next === at) break
      at = next
    }
    if (state === "over") finish(at === bytes.length)
    else if (at < bytes.length) kept = bytes.subarray(at)
    return null
  }

  function finish(isAll: boolean): void {
    state = "head"
    trailerBytes = 0
    events.onEnd(keepsAlive && isAll)
  }

  return {
    feed,
    close: () => {
      if (state !== "until-close") return false
      finish(true)
      return true
    },
  }
}

type ReadHead = ResponseHead & { readonly keepsAlive: boolean }

/** A head that was read, with its bytes: the next answer on a connection mostly begins with the same. */
type KnownHead = { readonly bytes: Buffer; readonly head: ReadHead; readonly framing: Framing }

/** Else where to go on, or what is wrong. */
function readNewHead(bytes: Buffer, at: number): KnownHead | number | string {
  const end = bytes.indexOf(headEnd, at)
  if ((end < 0 ? bytes.length : end) - at > mostHeadBytes) return "Its head is too long."
  if (end < 0) return at
  const next = end + headEnd.length
  const head = readHead(bytes.toString("latin1", at, end))
  if (typeof head === "string") return head
  if (head.status < 200) return early(head) ?? next
  const framing = framingOf(head)
  if (typeof framing === "string") return framing
  // Copied, since what was read from a connection is written over.
  return { bytes: Buffer.from(bytes.subarray(at, next)), head, framing }
}

/** The problem with a head of an interim response, which announces that the answer is still to come; undefined: none. */
function early({ status, keepsAlive }: ReadHead): string | undefined {
  if (status === 101) return "It changes the protocol."
  return keepsAlive ? undefined : "It closes the connection before its answer."
}

function isAt(bytes: Buffer, at: number, expected: Buffer): boolean {
  const end = at + expected.length
  return bytes.length >= end && bytes.compare(expected, 0, expected.length, at, end) === 0
}

const plainSize = /^[0-9a-f]{1,12}$/i
const sizeWithExtensions =
  /^([0-9a-f]{1,12})(?:;[\w!#$%&'*+.^`|~-]+(?:=(?:[\w!#$%&'*+.^`|~-]+|"[\x20!\x23-\x5b\x5d-\x7e]*"))?)+$/i

function sizeOf(line: string): number | undefined {
  if (plainSize.test(line)) return Number.parseInt(line, 16)
  const digits = sizeWithExtensions.exec(line)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 16)
}

const statusLine = /^HTTP\/1\.[01] [1-9]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?$/
// All at once: a match of each line by itself takes three times as long.
const headerLines = /^(?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*)*$/

function readHead(text: string): ReadHead | string {
  const firstEnd = text.indexOf("\r\n")
  const first = firstEnd < 0 ? text : text.slice(0, firstEnd)
  const rest = firstEnd < 0 ? "" : text.slice(firstEnd)
  if (!statusLine.test(first)) return "It does not begin as an answer in HTTP/1.1 does."
  if (!headerLines.test(rest)) return "A line of its head cannot be read."
  const headers = new Map<string, string>()
  for (let at = 0; at < rest.length; ) {
    const colon = rest.indexOf(":", at)
    const next = rest.indexOf("\r\n", colon)
    const end = next < 0 ? rest.length : next
    const key = rest.slice(at + 2, colon).toLowerCase()
    const value = trimBlanks(rest, colon + 1, end)
    at = end
    const before = headers.get(key)
    if (before === undefined) headers.set(key, value)
    else if (framingNames.has(key)) return "It says twice where it ends."
  }
  const isNew = first.charCodeAt(7) === 0x31
  return { status: Number(first.slice(9, 12)), headers, keepsAlive: keepsAlive(isNew, headers) }
}

const framingNames: ReadonlySet<string> = new Set(["content-length", "transfer-encoding"])

function keepsAlive(isNew: boolean, headers: ReadonlyMap<string, string>): boolean {
  const said = headers.get("connection")?.toLowerCase()
  if (said === undefined || said === "keep-alive") return isNew || said !== undefined
  return isNew && !said.includes("close")
}

function framingOf({ status, headers }: ResponseHead): Framing | string {
  const said = saidFraming(headers)
  // These end with their head, whatever it says.
  return typeof said !== "string" && (status === 204 || status === 304) ? { kind: "length", bytes: 0 } : said
}

function saidFraming(headers: ResponseHead["headers"]): Framing | string {
  const encoding = headers.get("transfer-encoding")
  const length = headers.get("content-length")
  if (encoding !== undefined) {
    if (length !== undefined) return "It says in two ways where it ends."
    return encoding.toLowerCase() === "chunked" ? { kind: "chunked" } : "It is encoded in a way that is not known here."
  }
  if (length === undefined) return { kind: "close" }
  return /^\d{1,15}$/.test(length) ? { kind: "length", bytes: Number(length) } : "Its length cannot be read."
}
