import { isUtf8 } from "node:buffer"
import type { FrontRequest } from "./front-message.ts"

export type Body =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too-large" }
  | { readonly kind: "not-utf8" }
  /** The client left before it had said all. */
  | { readonly kind: "cut-off" }

/** The body as text. What is larger than the limit is not kept, and not read further than needed to know. */
export function readBody(request: FrontRequest, limit: number): Body | Promise<Body> {
  if ("bytes" in request) {
    return request.bytes.length > limit ? { kind: "too-large" } : textOf([request.bytes], request.bytes.length)
  }
  return new Promise((resolve) => {
    const length = request.headers["content-length"]
    if (length !== undefined && Number(length) > limit) return resolve({ kind: "too-large" })
    const chunks: Buffer[] = []
    let size = 0
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else {
        chunks.length = 0
        resolve({ kind: "too-large" })
      }
    })
    request.on("end", () => resolve(textOf(chunks, size)))
    request.on("error", () => resolve({ kind: "cut-off" }))
    request.on("close", () => resolve({ kind: "cut-off" }))
  })
}

function textOf(chunks: readonly Buffer[], size: number): Body {
  const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size)
  return isUtf8(bytes) ? { kind: "text", text: bytes.toString("utf8") } : { kind: "not-utf8" }
}
