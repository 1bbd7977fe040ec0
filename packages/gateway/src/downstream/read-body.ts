import { isUtf8 } from "node:buffer"
import { ByteCollector } from "@byleave/core"
import type { FrontRequest } from "./front-message.ts"
import type { OpenRequest } from "./open-requests.ts"

export type RequestBody =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too-large" }
  /** Together with the other open bodies it is more than may be kept. */
  | { readonly kind: "too-much"; readonly words: string }
  | { readonly kind: "not-utf8" }
  /** The client left before it had said all. */
  | { readonly kind: "cut-off" }

/** The body as text. A body that exceeds the limit, or is refused while it grows, is not kept, and not read further than needed to know. */
export function readBody(
  request: FrontRequest,
  limit: number,
  grows: OpenRequest["grows"],
): RequestBody | Promise<RequestBody> {
  if ("bytes" in request) return refusedAt(request.bytes.length, limit, grows) ?? textOf(request.bytes)
  return new Promise((resolve) => {
    const length = request.headers["content-length"]
    if (length !== undefined && Number(length) > limit) return resolve({ kind: "too-large" })
    const arrived = new ByteCollector()
    let isRefused = false
    request.on("data", (chunk: Buffer) => {
      if (isRefused) return
      const refused = refusedAt(arrived.size + chunk.length, limit, grows)
      if (refused === null) return arrived.add(chunk)
      isRefused = true
      arrived.take()
      resolve(refused)
    })
    request.on("end", () => resolve(textOf(bufferOf(arrived.take()))))
    request.on("error", () => resolve({ kind: "cut-off" }))
    request.on("close", () => resolve({ kind: "cut-off" }))
  })
}

function refusedAt(size: number, limit: number, grows: OpenRequest["grows"]): RequestBody | null {
  if (size > limit) return { kind: "too-large" }
  const words = grows(size)
  return words === null ? null : { kind: "too-much", words }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function textOf(bytes: Buffer): RequestBody {
  return isUtf8(bytes) ? { kind: "text", text: bytes.toString("utf8") } : { kind: "not-utf8" }
}
