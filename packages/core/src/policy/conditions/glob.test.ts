import { readFileSync } from "node:fs"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compileLiteral } from "./find-literal.ts"
import {
  compileGlob,
  compileLongGlob,
  escapeGlob,
  globCovers,
  globsDisjoint,
  isLiteralGlob,
  literalOf,
} from "./glob.ts"
import { keptForLists, mostWork } from "./judging-work.ts"

const cases: ReadonlyArray<readonly [string, string, 0 | 1]> = JSON.parse(
  readFileSync(new URL("../fixtures/fnmatch.json", import.meta.url), "utf8"),
)

const piece = fc.constantFrom("a", "b", "-", "!", "[", "]", "*", "?", "é", "😀", "[ab]", "[!a]", "[b-a]", "\\")
const anyPattern = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""))
const anyText = fc
  .array(fc.constantFrom("a", "b", "-", "!", "[", "]", "*", "?", "é", "😀", "\n"), { maxLength: 5 })
  .map((points) => points.join(""))

const letters = ["a", "b", "-", "[", "😀"]
const shortTexts = [
  "",
  ...letters,
  ...letters.flatMap((a) => letters.map((b) => a + b)),
  ...letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c))),
]

/** A text that counts how often a matcher looks at it. */
function countingText(text: string): { readonly text: string; readonly looks: () => number } {
  let looks = 0
  const counting = new (class extends String {
    override codePointAt(at: number): number | undefined {
      looks += 1
      return super.codePointAt(at)
    }
  })(text)
  return { text: counting as unknown as string, looks: () => looks }
}

describe("compileGlob", () => {
  it("R33: agrees with Python's fnmatch.fnmatchcase on every recorded case", () => {
    expect(cases.length).toBeGreaterThan(6_000)
    const wrong = cases.filter(([pattern, text, wanted]) => {
      return compileGlob(pattern)(text) !== (wanted === 1)
    })
    expect(wrong).toEqual([])
  })

  it.each([
    { pattern: "*delete*", text: "a/b_delete", matches: true },
    { pattern: "*_file", text: ".hidden_file", matches: true },
    { pattern: "read_*", text: "READ_file", matches: false },
    { pattern: "read", text: "read_file", matches: false },
    { pattern: "\ud83d*", text: "😀", matches: false },
    { pattern: "*\ude00", text: "😀", matches: false },
    { pattern: "[\ud83d][\ude00]", text: "😀", matches: false },
  ])("$pattern against $text: $matches", ({ pattern, text, matches }) => {
    expect(compileGlob(pattern)(text)).toBe(matches)
  })

  it.each([
    "*a".repeat(40),
    `${"*a*?".repeat(20)}x`,
    `${"*".repeat(500)}b`,
    `${"[a-z]*".repeat(50)}!`,
    "*[a]b".repeat(30),
  ])("I1: looks at no more than tokens × text places for the hostile pattern %#", (pattern) => {
    for (const length of [1_000, 2_000, 4_000]) {
      const { text, looks } = countingText(`${"a".repeat(length)}\n`)
      compileGlob(pattern)(text)
      // Each place costs one look at the text and at most one at where to resume.
      expect(looks()).toBeLessThanOrEqual(2 * (pattern.length + 1) * (length + 1))
    }
  })
})

it("finds literal texts between stars as a regular expression does", () => {
  const text = fc.array(fc.constantFrom("a", "b", "😀", "\n"), { maxLength: 12 }).map((points) => points.join(""))
  const literal = fc.array(fc.constantFrom("a", "b", "😀"), { maxLength: 3 }).map((points) => points.join(""))
  fc.assert(
    fc.property(fc.array(literal, { minLength: 1, maxLength: 5 }), text, (literals, tried) => {
      const expected = new RegExp(`^${literals.join(".*")}$`, "su").test(tried)
      expect(compileGlob(literals.join("*"))(tried)).toBe(expected)
    }),
    { numRuns: 2_000 },
  )
})

describe("escapeGlob and literalOf", () => {
  it("I4: an escaped literal matches itself and nothing else", () => {
    fc.assert(
      fc.property(anyText, anyText, (literal, other) => {
        const matches = compileGlob(escapeGlob(literal))
        expect(matches(literal)).toBe(true)
        expect(matches(other)).toBe(other === literal)
        expect(literalOf(escapeGlob(literal))).toBe(literal)
      }),
    )
  })

  it.each([
    { pattern: "read_file", literal: "read_file" },
    { pattern: "a[*]b", literal: "a*b" },
    { pattern: "[s]ampling", literal: "sampling" },
    { pattern: "a[", literal: "a[" },
    { pattern: "", literal: "" },
    { pattern: "[ab]", literal: null },
    { pattern: "[b-a]", literal: null },
    { pattern: "a*", literal: null },
    { pattern: "?", literal: null },
  ])("$pattern can match only $literal", ({ pattern, literal }) => {
    expect(literalOf(pattern)).toBe(literal)
    expect(isLiteralGlob(pattern)).toBe(literal !== null)
  })
})

describe("compileLongGlob", () => {
  it("matches what the glob matches, as far as there is work left for it", () => {
    fc.assert(
      fc.property(anyPattern, fc.constantFrom(...shortTexts), (pattern, text) => {
        expect(compileLongGlob(pattern)(text, { workLeft: mostWork })).toBe(compileGlob(pattern)(text))
      }),
    )
    const text = "a".repeat(10_000)
    for (const pattern of ["*b*", "a*", "*ab*c?", "?*?*b"]) {
      const work = { workLeft: keptForLists + 5_000 }
      expect([compileLongGlob(pattern)(text, work), work.workLeft >= keptForLists]).toEqual([null, true])
    }
  })
})

describe("globCovers", () => {
  it("I2: whatever the narrow pattern matches, the wide one does", () => {
    fc.assert(
      fc.property(anyPattern, anyPattern, (wide, narrow) => {
        if (!globCovers(wide, narrow)) return
        expect(shortTexts.filter(compileGlob(narrow)).filter((text) => !compileGlob(wide)(text))).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    { wide: "*", narrow: "anything[", covers: true },
    { wide: "read_*", narrow: "read_file", covers: true },
    { wide: "read_*", narrow: "read_*_x", covers: true },
    { wide: "?*", narrow: "*?", covers: true },
    { wide: "*a*", narrow: "*ba?", covers: true },
    { wide: "[a-z]*", narrow: "[b-d]x", covers: true },
    { wide: "[!a]", narrow: "b", covers: true },
    { wide: "x", narrow: "[b-a]", covers: true },
    { wide: "read_file", narrow: "read_*", covers: false },
    { wide: "[a-c]", narrow: "[b-d]", covers: false },
    { wide: "a*", narrow: "*a", covers: false },
    { wide: "?", narrow: "", covers: false },
  ])("$wide covers $narrow: $covers", ({ wide, narrow, covers }) => {
    expect(globCovers(wide, narrow)).toBe(covers)
  })
})

describe("globsDisjoint", () => {
  it("I3: disjoint patterns share no text", () => {
    fc.assert(
      fc.property(anyPattern, anyPattern, (a, b) => {
        if (!globsDisjoint(a, b)) return
        expect(shortTexts.filter(compileGlob(a)).filter(compileGlob(b))).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    { a: "read_*", b: "write_*", disjoint: true },
    { a: "a?", b: "?", disjoint: true },
    { a: "*a", b: "*b", disjoint: true },
    { a: "[a-c]", b: "[!a-c]", disjoint: true },
    { a: "[b-a]", b: "*", disjoint: true },
    { a: "a*", b: "*b", disjoint: false },
    { a: "*x*", b: "*y*", disjoint: false },
    { a: "", b: "*", disjoint: false },
    { a: "[a-c]", b: "[c-d]", disjoint: false },
  ])("$a and $b: $disjoint, either way round", ({ a, b, disjoint }) => {
    expect(globsDisjoint(a, b)).toBe(disjoint)
    expect(globsDisjoint(b, a)).toBe(disjoint)
  })
})

/** A text that counts the characters that are looked at, and has no search of its own for long literals. */
function lookedThroughText(text: string): { readonly text: string; readonly looks: () => number } {
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

describe("I1 (find-literal.ts): a long literal costs one look at each character of the text", () => {
  const text = "a".repeat(20_000)

  it.each(lengths)("with another letter at place %d", (place) => {
    const literal = `${"a".repeat(place)}b${"a".repeat(989 - place)}`
    const counting = lookedThroughText(text)
    expect(compileLiteral(literal)(counting.text, 0)).toBe(-1)
    expect(counting.looks()).toBeLessThanOrEqual(text.length)
  })

  it.each(["*#*", "*#*c*", "a*#*a", "*#*#*"])("in the glob %s", (glob) => {
    for (const place of lengths.slice(0, 2)) {
      const literal = `${"a".repeat(place)}b${"a".repeat(480 - place)}`
      const counting = lookedThroughText(text)
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
