import fc from "fast-check"
import { expect, it } from "vitest"
import { ByteCollector } from "./byte-collector.ts"

it("gives back what was added, in its order, and then begins anew", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 }), { maxLength: 4 }), (rounds) => {
      const collector = new ByteCollector()
      for (const pieces of rounds) {
        const copies = pieces.map((piece) => piece.slice())
        for (const piece of pieces) collector.add(piece)
        const all = pieces.flatMap((piece) => [...piece])
        expect(collector.size).toBe(all.length)
        expect([...collector.take()]).toEqual(all)
        expect(collector.size).toBe(0)
        expect(pieces).toEqual(copies)
      }
    }),
  )
})

it("does not copy a single piece", () => {
  const collector = new ByteCollector()
  const piece = Uint8Array.of(1, 2, 3)
  collector.add(piece)
  expect(collector.take()).toBe(piece)
})

it("keeps what comes byte by byte in at most twice its room", () => {
  const collector = new ByteCollector()
  for (let at = 0; at < 100_000; at++) collector.add(Uint8Array.of(at % 256))
  const bytes = collector.take()
  expect(bytes.byteLength).toBe(100_000)
  expect(bytes.buffer.byteLength).toBeLessThanOrEqual(200_000)
})
