import { ByteCollector } from "@byleave/core"

const newline = 10
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/**
 * Cuts bytes that arrive in pieces into lines. A line that is no UTF-8 is null, and so is one that may not be kept as long as it is; nothing is
 * cut after it.
 */
export function lineTaker(
  mayKeep: (size: number) => boolean,
  onLine: (line: string | null) => void,
): (bytes: Uint8Array) => void {
  const arrived = new ByteCollector()
  let isOver = false
  const keep = (piece: Uint8Array): void => {
    isOver = !mayKeep(arrived.size + piece.byteLength)
    if (!isOver) arrived.add(piece)
    else {
      arrived.take()
      onLine(null)
    }
  }
  const cut = (): void => {
    const line = decoded(arrived.take())
    isOver = line === null
    onLine(line)
  }
  return (bytes) => {
    let from = 0
    for (let at = bytes.indexOf(newline); at >= 0 && !isOver; at = bytes.indexOf(newline, from)) {
      keep(bytes.subarray(from, at))
      if (!isOver) cut()
      from = at + 1
    }
    if (!isOver && from < bytes.byteLength) keep(bytes.subarray(from))
  }
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}
