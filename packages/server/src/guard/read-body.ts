/**
 * The request's body, and nothing else.
 *
 * I1. Nothing beyond the limit is taken in.
 * I2. What is no UTF-8 is refused, never mended: the text that was signed is the text that is read.
 * I3. A body is read strictly: no two readers see two verdicts in it.
 * I4. Only what says it is JSON is read: a page can send a form without asking.
 * I5. Nothing is taken in that is more than the sender may have open.
 */
import {
  type BodyBudget,
  type BodyShare,
  ByteCollector,
  defaultJsonValues,
  type JsonValue,
  readJson,
} from "@byleave/core"
import { isRefused, type RefusedRequest, refuse } from "../refused.ts"

/** The most that a reviewer sends at once. */
export const mostBytes = 1024 * 1024
/** They may send arguments again, changed, of several calls. */
const mostValues = 4 * defaultJsonValues

/** The body's text exactly as sent; nothing beyond the limit is taken in, nor what `share` refuses. */
export async function readBody(request: Request, most: number, share?: BodyShare): Promise<string | RefusedRequest> {
  if (request.body === null) return ""
  const arrived = new ByteCollector()
  const reader = request.body.getReader()
  for (;;) {
    const piece = await reader.read().catch(() => null)
    if (piece === null) return refuse("bad-request", "The body broke off before its end.")
    const { done, value } = piece
    if (done) break
    const refused = refusedAt(arrived.size + value.byteLength, most, share)
    if (refused !== null) {
      await reader.cancel()
      return refused
    }
    arrived.add(value)
  }
  return decoded(arrived.take())
}

/** The same, counted as its sender's, or as that of one program that shares it, until it is its turn to be worked on, or broke off. */
export async function readWithin(
  budget: BodyBudget,
  sender: string,
  request: Request,
  most: number,
  program?: string,
): Promise<string | RefusedRequest> {
  const share = budget.share(sender, program)
  try {
    const text = await readBody(request, most, share)
    if (!isRefused(text)) await share.turn()
    return text
  } finally {
    share.release()
  }
}

function refusedAt(size: number, most: number, share: BodyShare | undefined): RefusedRequest | null {
  if (size > most) return refuse("too-large", `The body is larger than ${most} bytes, the limit. Send less.`)
  const words = share?.grow(size) ?? null
  return words === null ? null : refuse("unavailable", words)
}

function decoded(bytes: Uint8Array): string | RefusedRequest {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return refuse("bad-json", "The body is not UTF-8. Send JSON as UTF-8.")
  }
}

/** The body as JSON, read strictly: two readers must never see two different verdicts in it. */
export function parseBody(
  request: Request,
  text: string,
  most: number = mostBytes,
): { readonly value: JsonValue } | RefusedRequest {
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase()
  if (type !== "application/json") return refuse("wrong-content-type", "Send JSON, as application/json.")
  const read = readJson(text, { bytes: most, values: mostValues })
  if (read.ok) return { value: read.value }
  const where = read.problem.path === "" ? "" : ` (at ${read.problem.path})`
  return refuse("bad-json", `${read.problem.message}${where}`)
}

/** The request with its body already read, for code that reads it again. */
export function withBody({ url, method, headers, signal }: Request, text: string): Request {
  return new Request(url, { method, headers, signal, ...(text === "" ? {} : { body: text }) })
}
