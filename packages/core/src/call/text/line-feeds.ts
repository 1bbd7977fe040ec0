const cr = 0x0d
const lf = 0x0a

/**
 * Gives UTF-8 text, as it arrives, with a line feed at the end of each line and no carriage return. What reads lines that end in either, or in both, looks
 * for each of them up to the end of what came, line by line: in a time that grows with the square.
 */
export function createLineFeeds(): <Chunk extends Uint8Array>(chunk: Chunk) => Chunk {
  let endedInReturn = false
  return (chunk) => {
    if (chunk.length === 0) return chunk
    const skipped = endedInReturn && chunk[0] === lf ? 1 : 0
    endedInReturn = chunk.at(-1) === cr
    const given = skipped === 0 ? chunk : (chunk.subarray(skipped) as typeof chunk)
    return given.includes(cr) ? withoutReturns(given) : given
  }
}

function withoutReturns<Chunk extends Uint8Array>(chunk: Chunk): Chunk {
  // A Buffer's own `slice` would copy nothing.
  const lines = Uint8Array.prototype.slice.call(chunk) as Chunk
  let length = 0
  for (let at = 0; at < chunk.length; at++) {
    const isReturn = chunk[at] === cr
    if (isReturn && chunk[at + 1] === lf) continue
    lines[length++] = isReturn ? lf : (chunk[at] as number)
  }
  return lines.subarray(0, length) as Chunk
}
