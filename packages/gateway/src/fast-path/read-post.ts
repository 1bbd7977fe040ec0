/**
 * Reads a POST in HTTP/1.1 from the bytes of a connection, in the one shape that clients of ours send all day. Anything that
 * is unusual, or could be understood in two ways, is not for this reader: node's own takes it then, and has the last word.
 *
 * I1. A request that says in more than one way where it ends is not read here.
 * I2. Nor is one with a header that comes twice.
 * I3. Nor is one with a line that is not exactly one header.
 * I4. Nor is one that was meant for another machine, or that a proxy passed on.
 */
import type { IncomingHttpHeaders } from "node:http"
import type { Arrived } from "../downstream/front-message.ts"
import { trimBlanks } from "../wire/headers/trim-blanks.ts"
import { isLoopbackHost } from "./loopback.ts"

export type ReadPost =
  | { readonly kind: "post"; readonly request: Arrived; readonly length: number; readonly head: PostHead }
  /** So far it is one, and more has to come. `whole`: its head, and how many bytes it has as a whole; null: its head has not come. */
  | { readonly kind: "partial"; readonly whole: { readonly head: PostHead; readonly length: number } | null }
  | { readonly kind: "unusual" }

export type PostHead = {
  readonly kind: "head"
  readonly bytes: Buffer
  readonly target: string
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly size: number
}

type NotRead = Exclude<ReadPost, { readonly kind: "post" }>

const partial: NotRead = { kind: "partial", whole: null }
const unusual: NotRead = { kind: "unusual" }

/** Longer requests take their time anyway. */
export const longestPost = 256 * 1024
const longestHead = 8 * 1024
const mostHeaders = 100
const start = Buffer.from("POST /mcp")
const headEnd = Buffer.from("\r\n\r\n")

/** `known`: the head of the request before on the same connection, since the next one mostly begins with the same bytes. */
export function readPost(bytes: Buffer, known: PostHead | null = null): ReadPost {
  const head = known !== null && beginsWith(bytes, known.bytes) ? known : readHead(bytes)
  if (head.kind !== "head") return head
  const from = head.bytes.length
  const length = from + head.size
  if (length > longestPost) return unusual
  if (bytes.length < length) return { kind: "partial", whole: { head, length } }
  const { target: url, headers } = head
  return { kind: "post", request: { method: "POST", url, headers, bytes: bytes.subarray(from, length) }, length, head }
}

function readHead(bytes: Buffer): PostHead | NotRead {
  if (!beginsWith(bytes, start.subarray(0, bytes.length))) return unusual
  const end = bytes.indexOf(headEnd)
  if (end < 0) return bytes.length > longestHead ? unusual : partial
  if (end > longestHead) return unusual
  const head = bytes.toString("latin1", 0, end)
  const firstLine = head.indexOf("\r\n")
  const target = firstLine < 0 ? undefined : requestLine.exec(head.slice(0, firstLine))?.[1]
  const headers = target === undefined ? null : readHeaders(head.slice(firstLine))
  const size = headers === null ? null : bodySize(headers)
  if (target === undefined || headers === null || size === null) return unusual
  // Copied, or it would keep all that came with it.
  return { kind: "head", bytes: Buffer.from(bytes.subarray(0, end + headEnd.length)), target, headers, size }
}

function beginsWith(bytes: Buffer, first: Buffer): boolean {
  return bytes.length >= first.length && bytes.compare(first, 0, first.length, 0, first.length) === 0
}

const requestLine = /^POST (\/[\x21-\x7e]*) HTTP\/1\.1$/
// All at once: a match of each line by itself takes three times as long.
const headerLines = /^(?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*)*$/

/** Null when a line is not one header, a header comes twice, or there are too many. `lines` begins with the end of the line before. */
function readHeaders(lines: string): IncomingHttpHeaders | null {
  if (!headerLines.test(lines)) return null
  const headers: IncomingHttpHeaders = Object.create(null)
  let count = 0
  for (let at = 0; at < lines.length; ) {
    if (++count > mostHeaders) return null
    const colon = lines.indexOf(":", at)
    const next = lines.indexOf("\r\n", colon)
    const end = next < 0 ? lines.length : next
    const name = lines.slice(at + 2, colon).toLowerCase()
    if (headers[name] !== undefined) return null
    headers[name] = trimBlanks(lines, colon + 1, end)
    at = end
  }
  return headers
}

const unusualHeaders = [
  "transfer-encoding",
  "expect",
  "upgrade",
  "trailer",
  "te",
  "proxy-connection",
  "via",
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
]

/** Null when the request came from afar, or something else than a plain length says where it ends or what becomes of its connection. */
function bodySize(headers: IncomingHttpHeaders): number | null {
  const { host, connection, "content-length": length } = headers
  if (host === undefined || !isLoopbackHost(host)) return null
  if (length === undefined || !/^\d{1,7}$/.test(length)) return null
  if (connection !== undefined && connection.toLowerCase() !== "keep-alive") return null
  for (const name of unusualHeaders) if (headers[name] !== undefined) return null
  return Number(length)
}
