import { isUtf8 } from "node:buffer"
import { splitLines } from "@byleave/core"

export type InputLine =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too-large" }
  | { readonly kind: "not-utf8" }

/** Cuts a client's input into lines. A line over the limit is not kept; it is told once, and reading goes on after its end. */
export function createLineReader(limit: number, onLine: (line: InputLine) => void): (chunk: Uint8Array) => void {
  return splitLines(
    (bytes) => bytes <= limit,
    (bytes) => {
      if (bytes === null) onLine({ kind: "too-large" })
      else if (!isUtf8(bytes)) onLine({ kind: "not-utf8" })
      else {
        const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8").trim()
        if (text !== "") onLine({ kind: "text", text })
      }
      return true
    },
  )
}
