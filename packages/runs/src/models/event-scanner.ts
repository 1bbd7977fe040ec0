const lineFeed = 0x0a
const carriageReturn = 0x0d
const quote = 0x22
const backslash = 0x5c
const brace = 0x7b

type EventSize = { readonly bytes: number; readonly objects: number }

/**
 * Measures the events of a stream, which end with an empty line: given its chunks one after the other, it tells the most bytes and the most JSON objects
 * of one event in the chunk, with what earlier chunks had of it. Where no event ends, as in plain JSON, all of it is one.
 */
export function createEventScanner(): (chunk: Uint8Array) => EventSize {
  let bytes = 0
  let objects = 0
  let isLineEmpty = true
  let isText = false
  let isEscaped = false
  return (chunk) => {
    let most: { bytes: number; objects: number } = { bytes: 0, objects: 0 }
    const note = (): void => {
      most = { bytes: Math.max(most.bytes, bytes), objects: Math.max(most.objects, objects) }
    }
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      bytes += 1
      if (byte === lineFeed) {
        if (isLineEmpty) {
          note()
          bytes = 0
          objects = 0
        }
        isLineEmpty = true
        // No text of JSON goes on in the next line.
        isText = false
        isEscaped = false
      } else if (byte !== carriageReturn) {
        isLineEmpty = false
        if (isEscaped) isEscaped = false
        else if (byte === quote) isText = !isText
        else if (isText) isEscaped = byte === backslash
        else if (byte === brace) objects += 1
      } else {
        isText = false
        isEscaped = false
      }
    }
    note()
    return most
  }
}
