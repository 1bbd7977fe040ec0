import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compileLiteral } from "./find-literal.ts"
import { compileGlob } from "./glob.ts"

/** A text that counts the characters that are looked at, and has no search of its own for long literals. */
function countingText(text: string): { readonly text: string; readonly looks: () => number } {
  let looks = 0
  const whole = (literal: string) => {
    if (literal.length > 250) throw new Error("The engine's search is not linear for this.")
  }
  const counting = new (class extends String {
    override charCodeAt(at: number): number {
      looks += 1
      return super.charCodeAt(at)
    }
    override indexOf(literal: string, from?: number): number {
      whole(literal)
      return super.indexOf(literal, from)
    }
    override includes(literal: string, from?: number): boolean {
      whole(literal)
      return super.includes(literal, from)
    }
  })(text)
  return { text: counting as unknown as string, looks: () => looks }
}

const lengths = [3, 300, 500, 700, 980]

describe("I1: a long literal costs one look at each character of the text", () => {
  const text = "a".repeat(20_000)

  it.each(lengths)("with another letter at place %d", (place) => {
    const literal = `${"a".repeat(place)}b${"a".repeat(989 - place)}`
    const counting = countingText(text)
    expect(compileLiteral(literal)(counting.text, 0)).toBe(-1)
    expect(counting.looks()).toBeLessThanOrEqual(text.length)
  })

  it.each(["*#*", "*#*c*", "a*#*a", "*#*#*"])("in the glob %s", (glob) => {
    for (const place of lengths.slice(0, 2)) {
      const literal = `${"a".repeat(place)}b${"a".repeat(480 - place)}`
      const counting = countingText(text)
      expect(compileGlob(glob.replaceAll("#", literal))(counting.text)).toBe(false)
      expect(counting.looks()).toBeLessThanOrEqual(text.length)
    }
  })
})

it("finds what the engine finds, from any place on", () => {
  const unit = fc.constantFrom("a", "b", "ab", "aab", "😀", "\ud83d")
  const units = (maxLength: number) => fc.array(unit, { maxLength }).map((found) => found.join(""))
  const repeated = fc.tuple(fc.integer({ min: 240, max: 400 }), unit, units(4), units(4))
  const literals = repeated.map(([count, each, before, behind]) => before + each.repeat(count) + behind)
  fc.assert(
    fc.property(literals, units(6), units(6), fc.nat(20), (literal, before, behind, from) => {
      for (const text of [
        before + literal + behind,
        literal.slice(1) + literal.slice(0, -1),
        literal + behind + literal,
      ]) {
        expect(compileLiteral(literal)(text, from)).toBe(text.indexOf(literal, from))
      }
    }),
  )
})
