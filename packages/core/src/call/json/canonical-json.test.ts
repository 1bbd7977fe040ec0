import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalJson } from "./canonical-json.ts"
import type { JsonValue } from "./json.ts"
import { numberFrom } from "./raw-number.ts"
import { readJson } from "./read-json.ts"

/** RFC 8785, appendix B: the bits of a double and its text. */
const numbers: ReadonlyArray<readonly [string, string]> = [
  ["0000000000000000", "0"],
  ["8000000000000000", "0"],
  ["0000000000000001", "5e-324"],
  ["8000000000000001", "-5e-324"],
  ["7fefffffffffffff", "1.7976931348623157e+308"],
  ["ffefffffffffffff", "-1.7976931348623157e+308"],
  ["4340000000000000", "9007199254740992"],
  ["c340000000000000", "-9007199254740992"],
  ["4430000000000000", "295147905179352830000"],
  ["44b52d02c7e14af5", "9.999999999999997e+22"],
  ["44b52d02c7e14af6", "1e+23"],
  ["44b52d02c7e14af7", "1.0000000000000001e+23"],
  ["444b1ae4d6e2ef4e", "999999999999999700000"],
  ["444b1ae4d6e2ef4f", "999999999999999900000"],
  ["444b1ae4d6e2ef50", "1e+21"],
  ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
  ["3eb0c6f7a0b5ed8d", "0.000001"],
  ["41b3de4355555553", "333333333.3333332"],
  ["41b3de4355555554", "333333333.33333325"],
  ["41b3de4355555555", "333333333.3333333"],
  ["41b3de4355555556", "333333333.3333334"],
  ["41b3de4355555557", "333333333.33333343"],
  ["becbf647612f3696", "-0.0000033333333333333333"],
  ["43143ff3c1cb0959", "1424953923781206.2"],
]

function doubleOf(bits: string): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, BigInt(`0x${bits}`))
  return view.getFloat64(0)
}

describe("canonicalJson follows RFC 8785", () => {
  it.each(numbers)("writes the double %s as %s", (bits, text) => {
    expect(canonicalJson(doubleOf(bits))).toBe(text)
  })

  it.each([
    {
      name: "3.2.2, the RFC's own example",
      input: String.raw`{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`,
      output: String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    },
    {
      name: "3.2.3, sorting by UTF-16 code units",
      input: String.raw`{"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
        "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"}`,
      output: `{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}`,
    },
    {
      name: "arrays",
      input: '[\n 56,\n {"d": true, "10": null, "1": [ ]}\n]',
      output: '[56,{"1":[],"10":null,"d":true}]',
    },
    {
      name: "french",
      input:
        '{"peach": "This sorting order", "péché": "is wrong according to French", "pêche": "but canonicalization MUST", "sin": "ignore locale"}',
      output:
        '{"peach":"This sorting order","péché":"is wrong according to French","pêche":"but canonicalization MUST","sin":"ignore locale"}',
    },
    {
      name: "structures",
      input:
        '{"1": {"f": {"f": "hi","F": 5} ,"\\n": 56.0}, "10": { }, "": "empty", "a": { }, "111": [ {"e": "yes","E": "no" } ], "A": { }}',
      output: '{"":"empty","1":{"\\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{"E":"no","e":"yes"}],"A":{},"a":{}}',
    },
    {
      name: "unicode",
      input: '{"Unnormalized Unicode":"A\\u030a"}',
      output: '{"Unnormalized Unicode":"A\u030a"}',
    },
    {
      name: "weird",
      input: String.raw`{"\u20ac": "Euro Sign", "\r": "Carriage Return", "\u000a": "Newline", "1": "One", "\u0080": "Control\u007f", "\ud83d\ude02": "Smiley",
        "\u00f6": "Latin Small Letter O With Diaeresis", "\ufb33": "Hebrew Letter Dalet With Dagesh", "</script>": "Browser Challenge"}`,
      output: `{"\\n":"Newline","\\r":"Carriage Return","1":"One","</script>":"Browser Challenge","\u0080":"Control\u007f","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😂":"Smiley","\ufb33":"Hebrew Letter Dalet With Dagesh"}`,
    },
  ])("$name", ({ input, output }) => {
    expect(canonicalJson(JSON.parse(input))).toBe(output)
  })

  it("I1: a number that no double holds keeps its spelling; any other has one", () => {
    const textOf = (source: string) => canonicalJson(numberFrom(source))
    expect(["1e400", "10e399"].map(textOf)).toEqual(["1e400", "10e399"])
    expect(["100", "1e2", "10.0e1"].map(textOf)).toEqual(["100", "100", "100"])
  })

  it("I1: is a fixed point, and the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const text = canonicalJson(value as JsonValue)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
  })

  it("I1: sorts keys as code units compare, whatever order they come in", () => {
    const key = fc.string({ unit: fc.constantFrom("a", "B", "1", "é", "\ue000", "😀", "\u0000") })
    fc.assert(
      fc.property(fc.uniqueArray(key), (keys) => {
        const object = Object.fromEntries(keys.map((inner) => [`k${inner}`, 0]))
        const members = keys.map((inner) => `k${inner}`).sort()
        expect(canonicalJson(object)).toBe(`{${members.map((member) => `${JSON.stringify(member)}:0`).join()}}`)
      }),
    )
  })
})

describe("canonicalJson and numbers that keep their text", () => {
  it.each(["9007199254740993", "1e400", "-0.30000000000000000001", "333333333.33333329"])("%s stays", (source) => {
    const read = readJson(`[${source}]`)
    expect(read.ok && canonicalJson(read.value)).toBe(`[${source}]`)
  })

  it("writes a raw number that a double can hold as the double", () => {
    const raw = (JSON as unknown as { rawJSON: (text: string) => JsonValue }).rawJSON
    expect(canonicalJson([raw("1.0"), numberFrom("10e-1")])).toBe("[1,1]")
    expect(() => canonicalJson(raw('"text"'))).toThrow(expect.objectContaining({ code: "not-json" }))
  })

  it("writes a member called __proto__ like any other", () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe('{"__proto__":{"a":2},"b":1}')
  })
})

describe("I2: canonicalJson throws on what JSON cannot say", () => {
  const circle: unknown[] = []
  circle.push(circle)
  it.each([
    ["NaN", Number.NaN],
    ["Infinity", [Number.POSITIVE_INFINITY]],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["undefined", undefined],
    ["an undefined member", { a: undefined }],
    ["a hole", new Array(1)],
    ["a function", { a: () => 1 }],
    ["a symbol", Symbol("s")],
    ["a bigint", 1n],
    ["a lone surrogate", "a\ud800"],
    ["a lone surrogate in a key", { "\udc00": 1 }],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["a boxed string", Object("text")],
    ["a circle", circle],
  ])("%s", (_name, value) => {
    expect(() => canonicalJson(value as JsonValue)).toThrow(
      expect.objectContaining({ name: "CallError", code: "not-json" }),
    )
  })
})
