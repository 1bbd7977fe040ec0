/**
 * What was sent, and nothing else.
 *
 * I1. Nothing beyond the limit is taken in.
 * I2. What is no UTF-8 is refused, never mended: the text that was signed is the text that is read.
 * I3. A body is read strictly: no two readers see two verdicts in it.
 * I4. Only what says it is JSON is read: a page can send a form without asking.
 */
import { type JsonValue, readJson } from "@byleave/core"
import { type Refused, refuse } from "../refused.ts"

const mostBytes = 1024 * 1024

/** The body's text exactly as sent; nothing beyond the limit is taken in. */
export async function readBody(request: Request, most = mostBytes): Promise<string | Refused> {
  if (request.body === null) return ""
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > most) {
      await reader.cancel()
      return refuse("too-large", `The body is larger than ${most} bytes, the most that is read. Send less.`)
    }
    chunks.push(value)
  }
  return decoded(chunks, size)
}

function decoded(chunks: readonly Uint8Array[], size: number): string | Refused {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return refuse("bad-json", "The body is not UTF-8. Send JSON as UTF-8.")
  }
}

/** The body as JSON, read strictly: two readers must never see two different verdicts in it. */
export function parseBody(request: Request, text: string): { readonly value: JsonValue } | Refused {
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase()
  if (type !== "application/json") return refuse("wrong-content-type", "Send JSON, as application/json.")
  const read = readJson(text, { bytes: mostBytes })
  if (read.ok) return { value: read.value }
  const where = read.problem.path === "" ? "" : ` (at ${read.problem.path})`
  return refuse("bad-json", `${read.problem.message}${where}`)
}
