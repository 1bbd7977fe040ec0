import fc from "fast-check"
import { expect, it } from "vitest"
import { createTextFinder } from "./text-finder.ts"

it("I2: covers exactly the places that a needle covers, in spans that are in order and apart", () => {
  const few = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom("a", "b"), minLength, maxLength })
  fc.assert(
    fc.property(fc.array(few(4, 7), { minLength: 1, maxLength: 6 }), few(0, 40), (needles, text) => {
      const covered = new Set<number>()
      for (const needle of needles) {
        for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
          for (let place = at; place < at + needle.length; place++) covered.add(place)
        }
      }
      const spans = createTextFinder(needles)(text)
      const found = spans.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, place) => start + place))
      expect(found).toEqual([...covered].sort((a, b) => a - b))
    }),
    // A needle within another, of which the rest does not come.
    { numRuns: 1000, examples: [[["aabbbb", "abbb"], "aabbba"]] },
  )
})

it("I1: looks at each character at most twice, however many needles nearly match", () => {
  let looks = 0
  const text = new (class extends String {
    override charCodeAt(at: number): number {
      looks += 1
      return super.charCodeAt(at)
    }
  })(`${"a".repeat(5_000)}b`)
  const needles = Array.from({ length: 500 }, (_, at) => `${"a".repeat(40)}${at}`)
  expect(createTextFinder(needles)(text as unknown as string)).toEqual([])
  expect(looks).toBeLessThanOrEqual(2 * text.length)
})

it("finds nothing when it looks for nothing", () => {
  expect(createTextFinder([])("anything")).toEqual([])
})
