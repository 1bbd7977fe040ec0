import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { splitLines } from "./split-lines.ts"

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (line: Uint8Array | null) => (line === null ? null : new TextDecoder().decode(line))

function linesOf(pieces: readonly Uint8Array[], limit = 1_000, goesOn: (line: string | null) => boolean = () => true) {
  const lines: Array<string | null> = []
  const take = splitLines(
    (bytes) => bytes <= limit,
    (line) => {
      lines.push(decode(line))
      return goesOn(decode(line))
    },
  )
  for (const piece of pieces) take(piece)
  return lines
}

describe("lines of bytes that arrive in pieces", () => {
  it("are the same however they are cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary" })),
        fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
        (texts, sizes) => {
          const lines = texts.map((text) => text.toWellFormed().replaceAll("\n", " "))
          const bytes = encode(lines.map((line) => `${line}\n`).join(""))
          const pieces: Uint8Array[] = []
          for (let at = 0; at < bytes.byteLength; ) {
            const size = sizes.next().value ?? 1
            pieces.push(bytes.subarray(at, at + size))
            at += size
          }
          expect(linesOf(pieces, Number.POSITIVE_INFINITY)).toEqual(lines)
        },
      ),
    )
  })

  it("are not told before they end", () => {
    expect(linesOf([encode("ab"), encode("c")])).toEqual([])
  })

  it("longer than may be kept are told once, at once, and skipped to their end", () => {
    expect(linesOf([encode("abc"), encode("def"), encode("ghi\nok\n")], 4)).toEqual([null, "ok"])
    expect(linesOf([encode("abcdef\nok\nabcdef")], 4)).toEqual([null, "ok", null])
  })

  it("are not cut any more once somebody says so", () => {
    expect(linesOf([encode("a\nb\nc\n"), encode("d\n")], 9, (line) => line !== "b")).toEqual(["a", "b"])
    expect(linesOf([encode("abcdef"), encode("\nok\n")], 4, (line) => line !== null)).toEqual([null])
  })
})
