const newline = 10
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Cuts bytes that arrive in pieces into lines. A line that is too long or no UTF-8 is null, and nothing is cut after it. */
export function lineTaker(mostBytes: number, onLine: (line: string | null) => void): (bytes: Uint8Array) => void {
  let rest: Uint8Array[] = []
  let size = 0
  let isOver = false
  const keep = (piece: Uint8Array): void => {
    size += piece.byteLength
    rest.push(piece)
    if (size <= mostBytes) return
    isOver = true
    rest = []
    onLine(null)
  }
  const cut = (): void => {
    const line = decoded(rest, size)
    rest = []
    size = 0
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

function decoded(pieces: readonly Uint8Array[], size: number): string | null {
  try {
    return utf8.decode(pieces.length === 1 ? pieces[0] : joined(pieces, size))
  } catch {
    return null
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}
