import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { foldedKey } from "./folded-key.ts"
import type { JsonValue } from "./json.ts"
import type { JsonProblem } from "./json-problem.ts"
import { isRawNumber } from "./raw-number.ts"
import { type ReadLimits, readJson } from "./read-json.ts"

function read(text: string, limits?: ReadLimits): JsonValue {
  const result = readJson(text, limits)
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

function problemIn(text: string, limits?: ReadLimits): JsonProblem {
  const result = readJson(text, limits)
  if (result.ok) throw new Error(`accepted ${text.slice(0, 80)}`)
  return result.problem
}

describe("readJson refuses what is not JSON", () => {
  it.each([
    { name: "empty text", text: "", path: "", offset: 0, says: "empty" },
    { name: "only space", text: " \n\t\r", path: "", offset: 4, says: "empty" },
    { name: "a byte order mark", text: "\ufeff{}", path: "", offset: 0, says: "byte order mark" },
    { name: "NaN", text: '{"a":[1,{"b":NaN}]}', path: "/a/1/b", offset: 13, says: "no NaN" },
    { name: "Infinity", text: "[-Infinity]", path: "/0", offset: 1, says: "no -Infinity" },
    { name: "undefined", text: "undefined", path: "", offset: 0, says: "a value" },
    { name: "a trailing comma in an array", text: "[1,]", path: "/1", offset: 3, says: "a value" },
    { name: "a trailing comma in an object", text: '{"a":1,}', path: "", offset: 7, says: "a key" },
    { name: "a comment", text: "[1 /* one */]", path: "", offset: 3, says: '"/"' },
    { name: "single quotes", text: "{'a':1}", path: "", offset: 1, says: "double quotes" },
    { name: "a missing colon", text: '{"a" 1}', path: "", offset: 5, says: '":"' },
    { name: "a missing comma", text: '{"x":[1 2]}', path: "/x", offset: 8, says: '","' },
    { name: "a second value", text: "{} {}", path: "", offset: 3, says: "end of the text" },
    { name: "a leading zero", text: "[01]", path: "/0", offset: 1, says: "zero" },
    { name: "a leading plus", text: "+1", path: "", offset: 0, says: "a value" },
    { name: "a number without whole part", text: ".5", path: "", offset: 0, says: "a value" },
    { name: "a point without digits", text: "1.", path: "", offset: 2, says: "a digit" },
    { name: "an exponent without digits", text: "1e+", path: "", offset: 3, says: "a digit" },
    { name: "hexadecimal", text: "0x10", path: "", offset: 1, says: "end of the text" },
    { name: "an open string", text: '"abc', path: "", offset: 4, says: "closing quote" },
    { name: "a control character in a string", text: '["a\u0001"]', path: "/0", offset: 3, says: "control character" },
    {
      name: "a line break in a string after an escape",
      text: '"\\n\n"',
      path: "",
      offset: 3,
      says: "control character",
    },
    { name: "the last control character", text: '"\u001f"', path: "", offset: 1, says: "control character" },
    { name: "an unknown escape", text: '"\\x41"', path: "", offset: 1, says: "backslash" },
    { name: "a short unicode escape", text: '"\\u12"', path: "", offset: 1, says: "four hexadecimal" },
    { name: "a no-break space between tokens", text: "[1,\u00a02]", path: "/1", offset: 3, says: "U+00A0" },
    { name: "a misspelt word", text: '{"a~/b":nul}', path: "/a~0~1b", offset: 8, says: "a value" },
  ])("$name", ({ text, path, offset, says }) => {
    const problem = problemIn(text)
    expect(problem).toMatchObject({ code: "syntax", path, offset })
    expect(problem.message).toContain(says)
  })
})

describe("readJson refuses what two readers could take differently", () => {
  it.each([
    { text: '{"a":1,"a":1}', code: "duplicate-key", path: "/a", offset: 7 },
    { text: '{"a":1,"\\u0061":2}', code: "duplicate-key", path: "/a", offset: 7 },
    { text: '{"__proto__":1,"__proto__":2}', code: "duplicate-key", path: "/__proto__", offset: 15 },
    { text: '{"x":{"path":1,"Path":2}}', code: "case-equal-keys", path: "/x/Path", offset: 15 },
    { text: '{"k":1,"\u212a":2}', code: "case-equal-keys", path: "/\u212a", offset: 7 },
    { text: `{"x":{"a${"\u0315\u0300".repeat(100_000)}":1}}`, code: "many-marks", path: "/x", offset: 6 },
    { text: '{"straße":1,"STRASSE":2}', code: "case-equal-keys", path: "/STRASSE", offset: 12 },
    { text: '{"é":1,"e\u0301":2}', code: "nfc-equal-keys", path: "/e\u0301", offset: 7 },
    { text: '{"\u212b":1,"\u00c5":2}', code: "nfc-equal-keys", path: "/\u00c5", offset: 7 },
    { text: '{"É":1,"e\u0301":2}', code: "case-equal-keys", path: "/e\u0301", offset: 7 },
    { text: '["\\ud83d"]', code: "lone-surrogate", path: "/0", offset: 2 },
    { text: '"\\ud83dx"', code: "lone-surrogate", path: "", offset: 1 },
    { text: '"\\ud83d\\u0041"', code: "lone-surrogate", path: "", offset: 1 },
    { text: '"\\ude00\\ud83d"', code: "lone-surrogate", path: "", offset: 1 },
    { text: '"ab\ud83d"', code: "lone-surrogate", path: "", offset: 3 },
    { text: '"\ude00"', code: "lone-surrogate", path: "", offset: 1 },
    { text: '"\ud83d\\ude00"', code: "lone-surrogate", path: "", offset: 1 },
    { text: '{"\\ud800":1}', code: "lone-surrogate", path: "", offset: 2 },
  ] as const)("$code in $text", ({ text, code, path, offset }) => {
    expect(problemIn(text)).toMatchObject({ code, path, offset })
  })

  it("finds a clash among many keys", () => {
    const keys = Array.from({ length: 500 }, (_, at) => `"key${at}":${at}`)
    expect(read(`{${keys.join()}}`)).toHaveProperty("key499", 499)
    for (const key of ["KEY7", "KEY12", "KEY499"]) {
      expect(problemIn(`{${keys.join()},"${key}":0}`)).toMatchObject({ code: "case-equal-keys", path: `/${key}` })
    }
  })

  it("lets the same key stand in different objects", () => {
    expect(read('[{"a":{"a":1}},{"a":2,"b":{"A":3}}]')).toEqual([{ a: { a: 1 } }, { a: 2, b: { A: 3 } }])
  })
})

describe("readJson keeps to its limits", () => {
  it("I4: answers 10,000 levels of nesting, open or closed, in arrays or objects", () => {
    for (const text of ["[".repeat(10_000), "[".repeat(10_000) + "]".repeat(10_000), '{"a":'.repeat(10_000)]) {
      expect(problemIn(text).code).toBe("too-deep")
      expect(problemIn(text, { depth: 1_000_000 }).code).toBe("too-deep")
    }
  })

  it("counts objects and arrays alike, and takes the limit itself", () => {
    expect(readJson("[".repeat(128) + "]".repeat(128)).ok).toBe(true)
    expect(problemIn("[".repeat(129) + "]".repeat(129))).toMatchObject({ code: "too-deep", offset: 128 })
    expect(read('[{"a":[]}]', { depth: 3 })).toEqual([{ a: [] }])
    expect(problemIn('[{"a":[]}]', { depth: 2 })).toMatchObject({ code: "too-deep", path: "/0/a" })
    expect(read("1", { depth: 0 })).toBe(1)
  })

  it("refuses 10 MB of arguments", () => {
    const problem = problemIn(JSON.stringify({ content: "x".repeat(10_000_000) }))
    expect(problem).toMatchObject({ code: "too-large", path: "" })
    expect(problem.message).toContain("4194304 bytes")
  })

  it("I5: reads the values it may and refuses the first beyond, wherever that stands", () => {
    const flat = (count: number): string => `[${"0,".repeat(count - 2)}0]`
    expect(readJson(flat(50_000)).ok).toBe(true)
    const problem = problemIn(flat(50_001))
    expect(problem).toMatchObject({ code: "too-many-values", path: "/49999", offset: 99_999 })
    expect(problem.message).toContain("more than 50000 values")
    expect(read('{"a":[1,"b",null]}', { values: 5 })).toEqual({ a: [1, "b", null] })
    const named = (count: number) => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join()}}`
    expect(readJson(named(6_000)).ok).toBe(true)
    expect(problemIn(named(7_000))).toMatchObject({ code: "too-many-values" })
    expect(problemIn('{"a":[1,"b",null]}', { values: 4 })).toMatchObject({ code: "too-many-values", path: "/a/2" })
  })

  it("I5: looks at nothing after the first value too many", () => {
    const nested = `${"[".repeat(60)}${"]".repeat(60)},`
    for (const rest of [nested.repeat(20_000), "this is no JSON", '{"k":1,"k":2}']) {
      expect(problemIn(`[1,2,3,${rest}`, { values: 3 })).toMatchObject({ code: "too-many-values", offset: 5 })
    }
  })

  it("measures the text as UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: -2, max: 2 }), (string, spare) => {
        const text = JSON.stringify(string)
        const size = new TextEncoder().encode(text).length
        const result = readJson(text, { bytes: size + spare })
        expect(result.ok).toBe(spare >= 0)
      }),
    )
  })
})

describe("readJson keeps numbers as they were written", () => {
  it.each(["9007199254740993", "1e400", "-1E400", "1e-400", "0.30000000000000000001", "1152921504606846976"])(
    "I3: %s keeps its text",
    (source) => {
      const value = read(`{"n":${source}}`) as { n: JsonValue }
      expect(isRawNumber(value.n)).toBe(true)
      expect(JSON.stringify(value)).toBe(`{"n":${source}}`)
    },
  )

  it.each([
    ["1.0", 1],
    ["1e3", 1000],
    ["-0", -0],
    ["0.1", 0.1],
    ["100000000000000000000000", 1e23],
    ["9007199254740992", 2 ** 53],
    ["0.00e-999999999999999999999", 0],
    [`1${"0".repeat(400)}e-400`, 1],
    ["5e-324", 5e-324],
    ["1.7976931348623157E+308", Number.MAX_VALUE],
  ])("%s is a plain number", (source, value) => {
    expect(read(source)).toBe(value)
  })

  it("does not take an object that looks like a raw number for one", () => {
    expect(isRawNumber(read('{"rawJSON":"1"}'))).toBe(false)
  })

  it("I3: reads a double exactly where the double is written as the same decimal value", () => {
    const digits = fc.stringMatching(/^\d{1,20}$/)
    const source = fc
      .tuple(fc.constantFrom("", "-"), digits, fc.option(digits), fc.option(fc.integer({ min: -345, max: 330 })))
      .map(([sign, whole, fraction, exponent]) => {
        const point = fraction === null ? "" : `.${fraction}`
        return `${sign}${BigInt(whole)}${point}${exponent === null ? "" : `e${exponent}`}`
      })
    fc.assert(
      fc.property(fc.oneof(source, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)), (text) => {
        const value = read(text)
        const double = Number(text)
        if (Number.isFinite(double) && isSameDecimal(text, String(double))) expect(value).toBe(double)
        else expect(isRawNumber(value) && value.rawJSON).toBe(text)
      }),
      { numRuns: 2_000 },
    )
  })
})

function isSameDecimal(a: string, b: string): boolean {
  const parts = [a, b].map((text) => {
    const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e")
    const [whole = "", fraction = ""] = mantissa.split(".")
    return { digits: BigInt(whole.replace("-", "") + fraction), exponent: Number(exponent) - fraction.length }
  })
  const least = Math.min(...parts.map((part) => part.exponent))
  const [first, second] = parts.map((part) => part.digits * 10n ** BigInt(part.exponent - least))
  return first === second && (first === 0n || a.startsWith("-") === b.startsWith("-"))
}

describe("readJson and prototypes", () => {
  it("makes __proto__ a member like any other", () => {
    const value = read('{"__proto__":{"admin":true},"constructor":{"prototype":1}}') as Record<string, JsonValue>
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"])
    expect(value.admin).toBeUndefined()
    expect(JSON.stringify(value)).toBe('{"__proto__":{"admin":true},"constructor":{"prototype":1}}')
  })
})

/** A document as pairs, so that keys can clash; each key comes with the class of keys that some reader takes for equal. */
type Tree = { readonly text: string; readonly refused: boolean }
const keys = [
  ["a", "a"],
  ["A", "a"],
  ["\\u0041", "a"],
  ["é", "é"],
  ["e\u0301", "é"],
  ["É", "é"],
  ["ß", "ss"],
  ["SS", "ss"],
  ["b", "b"],
  ["c", "c"],
  ["__proto__", "__proto__"],
  ["", ""],
  ["😀", "😀"],
] as const
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(
      { text: '"x"', refused: false },
      { text: " -1.5e3\n", refused: false },
      { text: "null", refused: false },
      { text: '"\\ud83d\\ude00\\/"', refused: false },
      { text: '"\\ud83d"', refused: true },
    ),
    fc.array(tie("tree"), { maxLength: 3 }).map((items) => ({
      text: `[${items.map((item) => item.text).join(" ,")} ]`,
      refused: items.some((item) => item.refused),
    })),
    fc.array(fc.tuple(fc.constantFrom(...keys), tie("tree")), { maxLength: 4 }).map((members) => ({
      text: `{ ${members.map(([[key], value]) => `"${key}" : ${value.text}`).join(",\t")}}`,
      refused:
        members.some(([, value]) => value.refused) || new Set(members.map(([[, same]]) => same)).size < members.length,
    })),
  ),
}))

describe("readJson beside JSON.parse", () => {
  it("I1, I2: accepts exactly the documents without a refused feature, with the same values", () => {
    fc.assert(
      fc.property(tree, ({ text, refused }) => {
        const result = readJson(text)
        expect(result.ok).toBe(!refused)
        if (result.ok) expect(result.value).toEqual(JSON.parse(text))
        else expect(result.problem.code).not.toBe("syntax")
      }),
      { numRuns: 1_000 },
    )
  })

  it("I1: reads back every value JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }).filter(hasDistinctKeys), (value) => {
        const text = JSON.stringify(value)
        expect(read(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it("I1: agrees on damaged documents, and never throws", () => {
    const edit = fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom(...'{}[]",:\\u0019eE+-.ntf \n\u0000\ud800/x\ufeff'))
    fc.assert(
      fc.property(tree, fc.array(edit, { minLength: 1, maxLength: 3 }), ({ text }, edits) => {
        agrees(edits.reduce(damage, text))
      }),
      { numRuns: 3_000 },
    )
    fc.assert(fc.property(fc.string({ unit: "binary" }), agrees))
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'[]{}",:0123456789eE.+-\\ualsetrfn ') }), agrees))
  })
})

function damage(text: string, [place, removed, inserted]: readonly [number, number, string]): string {
  const at = place % (text.length + 1)
  return text.slice(0, at) + inserted + text.slice(at + removed)
}

function agrees(text: string): void {
  const result = readJson(text)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    expect(result.ok).toBe(false)
    return
  }
  if (result.ok) expect(rounded(result.value)).toEqual(parsed)
  else expect(result.problem.code).not.toBe("syntax")
}

/** The value as JSON.parse rounds it. */
function rounded(value: JsonValue): unknown {
  if (isRawNumber(value)) return Number(value.rawJSON)
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)]))
}

function hasDistinctKeys(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true
  const members = Object.keys(value)
  const areDistinct = Array.isArray(value) || new Set(members.map(foldedKey)).size === members.length
  return areDistinct && Object.values(value).every(hasDistinctKeys)
}

describe("readJson keeps values as small as JSON.parse does", () => {
  it.each([
    { name: "arrays of one element within each other", element: `${"[".repeat(45)}${"]".repeat(45)}`, times: 1_000 },
    { name: "arrays of few elements", element: "[[1],[1,2],[[],[],[]],[1,2,3,4,5]]", times: 2_500 },
  ])("I7: $name take about the same memory", ({ element, times }) => {
    const text = `[${Array(times).fill(element).join(",")}]`
    expect(heapOf(() => read(text))).toBeLessThan(heapOf(() => JSON.parse(text)) * 1.4)
  })
})

/** The bytes that twenty of these values keep in memory. */
function heapOf(make: () => JsonValue): number {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  const used = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const kept: JsonValue[] = [make()]
  const before = used()
  while (kept.length < 21) kept.push(make())
  const bytes = used() - before
  expect(kept).toHaveLength(21)
  return bytes
}
