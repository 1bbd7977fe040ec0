const newline = 0x0a

/** Cuts bytes into lines, without their ends. `tooLong` is told once when a line passes the limit; nothing is read after that. */
export function splitLines(
  maxBytes: number,
  onLine: (line: string) => void,
  tooLong: () => void,
): (chunk: Buffer) => void {
  let kept: Buffer[] = []
  let keptBytes = 0
  let stopped = false

  function keep(part: Buffer): void {
    kept.push(part)
    keptBytes += part.length
  }

  function take(chunk: Buffer, from: number, to: number): string {
    if (keptBytes === 0) return chunk.toString("utf8", from, to)
    keep(chunk.subarray(from, to))
    const line = Buffer.concat(kept).toString("utf8")
    kept = []
    keptBytes = 0
    return line
  }

  return (chunk) => {
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0 && !stopped; at = chunk.indexOf(newline, from)) {
      if (keptBytes + at - from > maxBytes) break
      const line = take(chunk, from, at)
      from = at + 1
      onLine(line.endsWith("\r") ? line.slice(0, -1) : line)
    }
    if (stopped) return
    if (from < chunk.length) keep(chunk.subarray(from))
    if (keptBytes <= maxBytes) return
    stopped = true
    kept = []
    tooLong()
  }
}
