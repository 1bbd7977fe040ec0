import { splitLines } from "@byleave/core"

/** Cuts a process's output into lines of text. `tooLong` is told once when a line passes the limit; nothing is read after that. */
export function textLines(
  maxBytes: number,
  onLine: (line: string) => void,
  tooLong: () => void,
): (chunk: Buffer) => void {
  return splitLines(
    (bytes) => bytes <= maxBytes,
    (bytes) => {
      if (bytes === null) tooLong()
      else {
        const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")
        onLine(line.endsWith("\r") ? line.slice(0, -1) : line)
      }
      return bytes !== null
    },
  )
}
