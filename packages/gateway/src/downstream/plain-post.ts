/**
 * Reads a POST in HTTP/1.1 from the bytes of a connection, in the one shape that clients of ours send all day. Anything that
 * is unusual, or could be understood in two ways, is not for this reader: node's own takes it then, and has the last word.
 */
import type { IncomingHttpHeaders } from "node:http"
import type { Arrived } from "./front-message.ts"

export type ReadPost =
  | { readonly kind: "post"; readonly request: Arrived; readonly length: number }
  /** So far it is one, and more has to come. */
  | { readonly kind: "partial" }
  | { readonly kind: "unusual" }

const partial: ReadPost = { kind: "partial" }
const unusual: ReadPost = { kind: "unusual" }

/** What is longer than this takes its time anyway. */
export const longestPost = 256 * 1024
const longestHead = 8 * 1024
const start = Buffer.from("POST /mcp")
const headEnd = Buffer.from("\r\n\r\n")

export function readPost(bytes: Buffer): ReadPost {
  if (bytes.compare(start, 0, Math.min(start.length, bytes.length), 0, Math.min(start.length, bytes.length)) !== 0)
    return unusual
  const end = bytes.indexOf(headEnd)
  if (end < 0) return bytes.length > longestHead ? unusual : partial
  if (end > longestHead) return unusual
  const head = bytes.toString("latin1", 0, end)
  const firstLine = head.indexOf("\r\n")
  const target = firstLine < 0 ? undefined : requestLine.exec(head.slice(0, firstLine))?.[1]
  const headers = target === undefined ? null : readHeaders(head, firstLine + 2)
  if (target === undefined || headers === null) return unusual
  const size = bodySize(headers)
  if (size === null) return unusual
  const from = end + headEnd.length
  if (from + size > longestPost) return unusual
  if (bytes.length < from + size) return partial
  const request = { method: "POST", url: target, headers, bytes: bytes.subarray(from, from + size) } as const
  return { kind: "post", request, length: from + size }
}

const requestLine = /^POST (\/[\x21-\x7e]*) HTTP\/1\.1$/
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*([\x20-\x7e\t\x80-\xff]*)$/

/** Null when a line is not one header, or a header comes twice. */
function readHeaders(head: string, from: number): IncomingHttpHeaders | null {
  const headers: IncomingHttpHeaders = Object.create(null)
  for (let at = from; at < head.length; ) {
    const next = head.indexOf("\r\n", at)
    const end = next < 0 ? head.length : next
    const match = headerLine.exec(head.slice(at, end))
    const name = match?.[1]?.toLowerCase()
    if (match?.[2] === undefined || name === undefined || headers[name] !== undefined) return null
    headers[name] = match[2].trimEnd()
    at = end + 2
  }
  return headers
}

/** Null when something else than a plain length says where the request ends or what becomes of its connection. */
function bodySize(headers: IncomingHttpHeaders): number | null {
  const { host, connection, "content-length": length } = headers
  if (host === undefined || length === undefined || !/^\d{1,7}$/.test(length)) return null
  if (connection !== undefined && connection.toLowerCase() !== "keep-alive") return null
  for (const name of ["transfer-encoding", "expect", "upgrade", "trailer", "te"]) {
    if (headers[name] !== undefined) return null
  }
  return Number(length)
}
