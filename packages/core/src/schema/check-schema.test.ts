import { Validator } from "@cfworker/json-schema"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "../call/json/json.ts"
import { numberFrom } from "../call/json/raw-number.ts"
import { createSchemaCheck } from "./check-schema.ts"

const fits = (schema: JsonObject, value: JsonValue): boolean => createSchemaCheck(schema)(value).length === 0

describe("a value held against a schema", () => {
  it.each<[string, JsonObject, readonly JsonValue[], readonly JsonValue[]]>([
    ["type", { type: ["integer", "null"] }, [1, 2.0, null], [1.5, "1", [], {}]],
    ["const", { const: { a: [1] } }, [{ a: [1] }], [{ a: [2] }, 1]],
    ["enum", { enum: ["a", 1, null] }, ["a", 1, null], ["b", "1"]],
    ["numbers", { minimum: 1, exclusiveMaximum: 3, multipleOf: 0.1 }, [1, 2.9, 0.3 + 1], [0.9, 3, 1.05]],
    ["numbers of draft 4", { minimum: 1, exclusiveMinimum: true }, [1.1], [1]],
    ["texts", { minLength: 2, maxLength: 3, pattern: "^[a-z😀]+$" }, ["ab", "a😀b"], ["a", "abcd", "a😀bc", "A1"]],
    ["formats", { format: "date-time" }, ["2026-11-16T20:00:00Z", 5], ["2026-11-31T20:00:00Z", "now"]],
    ["email", { format: "email" }, ["a.b@c.org"], ["a", "a@", ".a@c.org", "a@-c"]],
    ["addresses", { format: "ipv6" }, ["::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"], ["1:2", ":::", "g::1", "1::2::3"]],
    ["unknown formats", { format: "colour" }, ["red"], []],
    [
      "objects",
      { required: ["a"], minProperties: 1, maxProperties: 2 },
      [{ a: 1 }],
      [{}, { b: 1 }, { a: 1, b: 1, c: 1 }],
    ],
    [
      "members",
      {
        properties: { a: { type: "string" } },
        patternProperties: { "^n": { type: "number" } },
        additionalProperties: false,
      },
      [{ a: "x", n1: 1 }, {}],
      [{ a: 1 }, { n1: "x" }, { other: 1 }],
    ],
    ["names", { propertyNames: { pattern: "^[a-z]+$" } }, [{ ab: 1 }], [{ A: 1 }]],
    [
      "dependencies",
      { dependentRequired: { a: ["b"] }, dependencies: { c: { required: ["d"] } } },
      [{ a: 1, b: 1 }],
      [{ a: 1 }, { c: 1 }],
    ],
    [
      "lists",
      { minItems: 1, maxItems: 2, uniqueItems: true, items: { type: "integer" } },
      [[1], [1, 2]],
      [[], [1, 1], [1, "2"], [1, 2, 3]],
    ],
    ["tuples", { prefixItems: [{ type: "string" }], items: false }, [["a"], []], [[1], ["a", 1]]],
    ["older tuples", { items: [{ type: "string" }], additionalItems: { type: "number" } }, [["a", 1]], [["a", "b"]]],
    ["contains", { contains: { const: 1 }, minContains: 2, maxContains: 3 }, [[1, 1, 2]], [[1], [1, 1, 1, 1]]],
    ["anyOf", { anyOf: [{ type: "string" }, { minimum: 5 }] }, ["a", 6], [4]],
    ["oneOf", { oneOf: [{ minimum: 5 }, { maximum: 7 }] }, [4, 8], [6]],
    ["not", { not: { type: "string" } }, [1], ["a"]],
    [
      "if",
      JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}'),
      [{ a: 1, b: 1 }, { c: 1 }],
      [{ a: 1 }, {}],
    ],
    ["references", { $ref: "#/$defs/a~1b", $defs: { "a/b": { type: "string" } } }, ["x"], [1]],
    ["anchors", { $ref: "#here", $defs: { x: { $anchor: "here", type: "string" } } }, ["x"], [1]],
    [
      "recursion",
      { type: "object", properties: { next: { $ref: "#" } }, additionalProperties: false },
      [{ next: { next: {} } }],
      [{ next: { other: 1 } }],
    ],
    [
      "what no other part looked at",
      {
        allOf: [{ properties: { a: true } }],
        anyOf: [{ required: ["b"], properties: { b: true } }, true],
        unevaluatedProperties: false,
      },
      [{ a: 1, b: 1 }, { a: 1 }],
      [{ c: 1 }],
    ],
    [
      "entries no other part looked at",
      { prefixItems: [true], contains: { const: 2 }, unevaluatedItems: false },
      [[1, 2], [2]],
      [[2, 3]],
    ],
    [
      "what no other part looked at, and a part beside it did",
      { allOf: [{ properties: { a: true } }, { unevaluatedProperties: { type: "null" } }] },
      [{ a: null }, {}],
      [{ a: 1 }],
    ],
    [
      "entries no other part looked at, and a part beside it did",
      { $ref: "#/$defs/rest", prefixItems: [true], $defs: { rest: { unevaluatedItems: false } } },
      [[]],
      [[1]],
    ],
    [
      "what the condition looked at, which the branch does not see",
      JSON.parse('{"if":{"properties":{"a":true}},"then":{"unevaluatedProperties":false}}'),
      [{}],
      [{ a: 1 }],
    ],
    [
      "what a part within a part looked at",
      {
        allOf: [{ allOf: [{ properties: { a: true } }] }, { $ref: "#/$defs/b" }],
        unevaluatedProperties: false,
        $defs: { b: { properties: { b: true } } },
      },
      [{ a: 1, b: 1 }],
      [{ c: 1 }],
    ],
    ["true and false", { properties: { a: false, b: true } }, [{ b: 1 }], [{ a: 1 }]],
    [
      "names of every object's own members",
      { properties: { a: {} }, required: ["toString"] },
      [{ toString: 1 }],
      [{ a: 1 }],
    ],
  ])("%s", (_, schema, good, bad) => {
    for (const value of good) expect(fits(schema, value), JSON.stringify(value)).toBe(true)
    for (const value of bad) expect(fits(schema, value), JSON.stringify(value)).toBe(false)
  })

  it("I2: fits where an independent validator says so, and only there", () => {
    const value = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 2 },
        fc.constantFrom<JsonValue>(0, 1, 2, 1.5, "", "a", "ab", true, null),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
      ),
    })).value
    const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => {
      const part = tie("schema")
      const parts = fc.array(part, { minLength: 1, maxLength: 2 })
      const by = (...names: readonly string[]) => fc.dictionary(fc.constantFrom(...names), part, { maxKeys: 2 })
      const keywords: ReadonlyArray<readonly [string, fc.Arbitrary<JsonValue>]> = [
        ...(["allOf", "anyOf", "oneOf", "prefixItems"] as const).map((key) => [key, parts] as const),
        ...["additionalProperties", "items", "contains", "not", "if", "then", "else", "propertyNames"].map(
          (key) => [key, part] as const,
        ),
        ["properties", by("a", "b")],
        ["patternProperties", by("^a", "b$", "c|a")],
        ["dependentSchemas", by("a", "b")],
        ["required", fc.subarray(["a", "b"])],
        ["type", fc.constantFrom("object", "array", "number", "integer", "string")],
        ["uniqueItems", fc.boolean()],
        ["minimum", fc.constantFrom(0, 1)],
        ["multipleOf", fc.constantFrom(0.5, 2)],
        ["minLength", fc.constantFrom(1, 2)],
        ["pattern", fc.constantFrom("^a", "b")],
        ["enum", fc.array(value, { minLength: 1, maxLength: 3 })],
        ["const", value],
      ]
      const member = fc.oneof(...keywords.map(([key, wanted]) => fc.tuple(fc.constant(key), wanted)))
      return {
        schema: fc.oneof(
          { maxDepth: 3 },
          fc.constantFrom<JsonValue>(true, false, {}, { type: ["object", "array"] }, { $ref: "#/$defs/d" }),
          fc.array(member, { minLength: 1, maxLength: 4 }).map((members) => Object.fromEntries(members)),
        ),
      }
    })
    fc.assert(
      fc.property(schema, value, (part, tried) => {
        const whole = { allOf: [part], $defs: { d: { type: "integer" } } } as JsonObject
        const theirs = new Validator(structuredClone(whole) as object, "2020-12", false).validate(tried).valid
        expect(fits(whole, tried)).toBe(theirs)
      }),
      { numRuns: 1_500 },
    )
  })
})

describe("a schema that means ill", () => {
  const manyOnes = Array<JsonValue>(10_000).fill(1)
  const longNumber = numberFrom(`1${"0".repeat(9_000)}1`)
  const doubled = (depth: number): JsonObject =>
    depth === 0 ? { type: "string" } : { allOf: [{ $ref: `#/$defs/d${depth - 1}` }, { $ref: `#/$defs/d${depth - 1}` }] }
  const longestNumber = numberFrom(`1${"7".repeat(1_000_000)}`)
  const manyMembers = Object.fromEntries(Array.from({ length: 5_800 }, (_, n) => [`k${n}`, 0]))
  const manyProperties = Array.from({ length: 10 }, (_, n) => ({
    pattern: `[${"\\p{L}".repeat(700)}]${"x".repeat(n)}`,
  }))
  const defs = Object.fromEntries(Array.from({ length: 30 }, (_, depth) => [`d${depth}`, doubled(depth)]))

  it.each<[string, JsonObject, JsonValue, RegExp]>([
    ["doubles its work 30 times", { $ref: "#/$defs/d29", $defs: defs }, "a", /more work/],
    ["leads round in a circle", { $ref: "#" }, "a", /circle/],
    ["has a pattern that looks back", { pattern: "(?<=a)b" }, "ab", /looks back/],
    ["has a type that is none", { type: "text" }, "a", /no type/],
    ["refers to what is not there", { $ref: "#/nowhere" }, "a", /does not hold/],
    ["refers to another place", { $ref: "https://schemas.test/a" }, "a", /does not hold/],
    ["holds others with names of their own", { $defs: { a: { $id: "x", $ref: "#/b" } } }, "a", /\$id/],
    ["has members of the wrong kind", { required: true }, {}, /required is no list/],
    [
      "compares long lists with each other",
      { items: { enum: Array(10_000).fill("x") } },
      Array(10_000).fill("y"),
      /more work/,
    ],
    [
      "compares its choices with a number of a million digits",
      { enum: Array.from({ length: 20_000 }, (_, n) => n + 0.5) },
      longestNumber,
      /more work/,
    ],
    ["compares its choices with a large object", { enum: Array(8_000).fill({}) }, manyMembers, /more work/],
    ["compares with a large object", { allOf: Array(8_000).fill({ const: {} }) }, manyMembers, /more work/],
    ["has patterns of very many properties", { allOf: manyProperties }, "a", /more work/],
    [
      "writes a long name again and again",
      { allOf: Array(100).fill({ uniqueItems: true }) },
      [{ ["k".repeat(900_000)]: 1 }],
      /more work/,
    ],
    [
      "tells where it does not fit by a long name again and again",
      { additionalProperties: { allOf: Array(100).fill(false) } },
      { ["k".repeat(900_000)]: 1 },
      /more work/,
    ],
    [
      "tells a long requirement again and again",
      { items: { const: Array(40_000).fill(1) } },
      Array(100).fill(2),
      /more work/,
    ],
    ["names more types than there are", { type: Array(100).fill("array") }, "a", /more types/],
    [
      "has many patterns that are looked for again and again",
      {
        allOf: Array(2_000).fill({ $ref: "#/$defs/many" }),
        $defs: {
          many: { patternProperties: Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`^q${n}`, true])) },
        },
      },
      { a: 1 },
      /more work/,
    ],
    [
      "has patterns that take much room together",
      {
        allOf: Array.from({ length: 500 }, (_, n) => ({
          patternProperties: { [`^(?:x{400}){10}${n}`]: true, [`^(?:x{400}){10}y${n}`]: true },
        })),
      },
      {},
      /more work|too large/,
    ],
    ["looks at a long list again and again", { allOf: Array(2_000).fill({ items: true }) }, manyOnes, /more work/],
    [
      "looks in a long list again and again",
      { allOf: Array(2_000).fill({ contains: true, minContains: 0 }) },
      manyOnes,
      /more work/,
    ],
    ["reads a long number again and again", { allOf: Array(2_000).fill({ type: "integer" }) }, longNumber, /more work/],
    ["compares a long number again and again", { allOf: Array(2_000).fill({ minimum: 1 }) }, longNumber, /more work/],
  ])("I1: that %s is not judged by", (_, schema, value, words) => {
    expect(() => createSchemaCheck(schema)(value)).toThrow(words)
  })

  it("I1: patterns are read once, whatever is held against them", () => {
    const patternProperties = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`^q${n}$`, { type: "null" }]))
    const check = createSchemaCheck({ patternProperties })
    expect(check({})).toEqual([])
    expect(check({ q7: null })).toEqual([])
    expect(check({ q7: 1 })).toMatchObject([{ at: "#/q7", keyword: "type" }])
  })

  it("I1: properties in patterns are worth their cost, and as many as people write are judged", () => {
    const check = createSchemaCheck({
      allOf: Array.from({ length: 40 }, (_, n) => ({ pattern: `^[\\p{L}\\p{M}\\p{N} _-]{0,${n + 5}}$` })),
    })
    expect(check("Žofie")).toEqual([])
    expect(check("Žofie!")).toHaveLength(40)
  })

  it("I1: every keyword with a list or a map costs at least its length", () => {
    const many = Array.from({ length: 400 }, (_, n) => `k${n}`)
    const map = (value: JsonValue): JsonObject => Object.fromEntries(many.map((name) => [`^${name}$`, value]))
    const parts: ReadonlyArray<readonly [JsonObject, JsonValue]> = [
      [{ enum: [...many, {}] }, {}],
      [{ const: many }, many],
      [{ required: many }, Object.fromEntries(many.map((name) => [name, 1]))],
      [{ dependentRequired: map(["k0"]) }, {}],
      [{ dependentSchemas: map(true) }, {}],
      [{ patternProperties: map(true) }, { k0: 1 }],
      [{ allOf: many.map(() => true) }, {}],
      [{ anyOf: [...many.map(() => false), true] }, {}],
      [{ oneOf: [...many.map(() => false), true] }, {}],
      [{ prefixItems: many.map(() => true) }, many],
      [{ items: true }, many],
      [{ contains: true }, many],
      [{ uniqueItems: true }, many],
    ]
    for (const [part, value] of parts) {
      const check = createSchemaCheck({ allOf: Array(4_000).fill({ $ref: "#/$defs/part" }), $defs: { part } })
      expect(() => check(value), JSON.stringify(part).slice(0, 60)).toThrow(/more work/)
    }
  })

  it.each(["allOf", "oneOf"])("I1: that doubles its work by %s is given up after so many steps", (form) => {
    let looks = 0
    const counted: JsonObject = {
      get minLength(): number {
        looks += 1
        return 0
      },
    }
    const twice = (depth: number): JsonObject => {
      const before = { $ref: `#/$defs/d${depth - 1}` }
      return depth === 0 ? counted : { [form]: [before, before] }
    }
    const $defs = Object.fromEntries(Array.from({ length: 21 }, (_, depth) => [`d${depth}`, twice(depth)]))
    expect(() => createSchemaCheck({ $ref: "#/$defs/d20", $defs })("a")).toThrow(/more work/)
    // A million looks without an end to it; this many take some hundredths of a second.
    expect(looks).toBeGreaterThan(1_000)
    expect(looks).toBeLessThan(50_000)
  })

  it("I1: that is too large is not looked at", () => {
    const schema = { enum: Array(60_000).fill(1) }
    expect(() => createSchemaCheck(schema)).toThrow("too large")
    expect(() => createSchemaCheck({ description: "x".repeat(2_000_000) })).toThrow("too large")
  })

  it("I1: with a pattern of exponential ways says what does not fit, for a long text too", () => {
    const check = createSchemaCheck({ pattern: "^(a+)+$" })
    expect(check("a".repeat(1_000))).toEqual([])
    expect(check(`${"a".repeat(10_000)}!`)).toMatchObject([{ at: "#", keyword: "pattern" }])
  })

  it("tells no more problems than people can read", () => {
    const check = createSchemaCheck({ items: { type: "string" } })
    expect(check(Array(1_000).fill(1))).toHaveLength(100)
  })
})
