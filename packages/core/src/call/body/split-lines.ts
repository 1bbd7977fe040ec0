import { ByteCollector } from "./byte-collector.ts"

const newline = 10

/**
 * Cuts bytes that arrive in pieces into lines, without their ends. `mayKeep` is asked about every size that a line grows to; one that may not be
 * kept is told as null, once and at once, and skipped to its end. Where `onLine` gives false, nothing is cut any more.
 */
export function splitLines(
  mayKeep: (bytes: number) => boolean,
  onLine: (line: Uint8Array | null) => boolean,
): (bytes: Uint8Array) => void {
  const arrived = new ByteCollector()
  let isSkipping = false
  let isOver = false
  const keep = (piece: Uint8Array): void => {
    if (isSkipping) return
    if (mayKeep(arrived.size + piece.byteLength)) arrived.add(piece)
    else {
      arrived.take()
      isSkipping = true
      isOver = !onLine(null)
    }
  }
  return (bytes) => {
    let from = 0
    for (let at = bytes.indexOf(newline); at >= 0 && !isOver; at = bytes.indexOf(newline, from)) {
      keep(bytes.subarray(from, at))
      from = at + 1
      if (!isSkipping) isOver = !onLine(arrived.take())
      isSkipping = false
    }
    if (!isOver && from < bytes.byteLength) keep(bytes.subarray(from))
  }
}
