import { isUtf8 } from "node:buffer"

export type InputLine =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too-large" }
  | { readonly kind: "not-utf8" }

/** Cuts a stream of bytes into lines. A line over the limit is not kept; it is told once, and reading goes on after its end. */
export function createLineReader(limit: number, onLine: (line: InputLine) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let size = 0
  return (chunk) => {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      keep(chunk.subarray(start, end))
      start = end + 1
      finish()
    }
    keep(chunk.subarray(start))
  }

  function keep(part: Buffer): void {
    size += part.length
    if (size > limit) parts = []
    else if (part.length > 0) parts.push(part)
  }

  function finish(): void {
    const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
    const tooLarge = size > limit
    parts = []
    size = 0
    if (tooLarge) onLine({ kind: "too-large" })
    else if (!isUtf8(bytes)) onLine({ kind: "not-utf8" })
    else {
      const text = bytes.toString("utf8").trim()
      if (text !== "") onLine({ kind: "text", text })
    }
  }
}
