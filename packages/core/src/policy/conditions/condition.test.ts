import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { numberFrom } from "../../call/json/raw-number.ts"
import type { Condition } from "../rules/rule.ts"
import { type ConditionContext, compileConditions, type Judgement } from "./condition.ts"
import { createPathLookup } from "./path-lookup.ts"
import { sameJson } from "./same-json.ts"

type Conditional = "allow" | "deny" | "ask"

function judge(
  condition: Condition,
  args: JsonObject,
  effect: Conditional = "allow",
  context: ConditionContext = {},
): string {
  return short(compileConditions([condition], effect, context)(args))
}

function short(judgement: Judgement): string {
  return typeof judgement === "string" ? judgement : "unjudged"
}

const path = (pattern: string, key = "path"): Condition => ({ key, op: "glob", pattern })

it.each<{ condition: Condition; args: JsonObject; wanted: string }>([
  { condition: path("notes/*"), args: { path: "notes/a" }, wanted: "unjudged" },
  { condition: path("notes/*"), args: { path: "other" }, wanted: "fails" },
  { condition: path("/ws/*"), args: { path: "/ws/a" }, wanted: "holds" },
  { condition: path("a", "deep.file"), args: { deep: { file: "a" } }, wanted: "unjudged" },
  { condition: { key: "paths", op: "equals", value: ["/a", "b"] }, args: { paths: ["/a", "b"] }, wanted: "unjudged" },
  { condition: { key: "path", op: "oneOf", values: ["a", "b"] }, args: { path: "b" }, wanted: "unjudged" },
  { condition: path("a", "word"), args: { word: "a" }, wanted: "holds" },
  { condition: path("*", "word"), args: { word: "./a" }, wanted: "unjudged" },
  { condition: { key: "word", op: "equals", value: "../a" }, args: { word: "../a" }, wanted: "unjudged" },
  { condition: { key: "n", op: "equals", value: [{ file: "a" }] }, args: { n: [{ file: "a" }] }, wanted: "unjudged" },
  { condition: { key: "n", op: "equals", value: { repo: "a/b" } }, args: { n: { repo: "a/b" } }, wanted: "holds" },
])(
  "I6: an allow of $condition for $args, where the agent names the folders: $wanted",
  ({ condition, args, wanted }) => {
    const judgeAt = (effect: Conditional) =>
      short(compileConditions([condition], effect, {})(args, createPathLookup({}, true)))
    expect(judgeAt("allow")).toBe(wanted)
    const byText = wanted === "fails" ? "fails" : "holds"
    expect([judgeAt("deny"), judge(condition, args)]).toEqual([byText, byText])
  },
)

it.each<{ name: string; condition: Condition }>([
  { name: "glob", condition: path("a*".repeat(501)) },
  { name: "host", condition: { key: "path", op: "host", patterns: ["b", "a*".repeat(501)] } },
])("R33: what is compared with a $name too long to match with is left to a person", ({ condition }) => {
  for (const effect of ["allow", "deny", "ask"] as const) {
    expect(compileConditions([condition], effect, {})({ path: "a" })).toMatchObject({
      unjudged: expect.stringContaining("a pattern may have 1000"),
    })
  }
})

describe("keys", () => {
  it.each([
    { key: "path", args: { path: "/a" }, wanted: "holds" },
    { key: "file.path", args: { file: { path: "/a" } }, wanted: "holds" },
    { key: "file\\.path", args: { "file.path": "/a" }, wanted: "holds" },
    { key: "a\\\\.b", args: { "a\\": { b: "/a" } }, wanted: "holds" },
    { key: "files.path", args: { files: [{ path: "/a" }, { path: "/b" }] }, wanted: "holds" },
    { key: "files.path", args: { files: [{ path: "/a" }, { path: "b" }] }, wanted: "fails" },
    { key: "files.path", args: { files: [{ path: "/a" }, {}] }, wanted: "unjudged" },
    { key: "files.path", args: { files: [{ path: "b" }, {}] }, wanted: "fails" },
    { key: "files.path", args: { files: "/a" }, wanted: "unjudged" },
    { key: "file.path", args: { "file.path": "/a" }, wanted: "unjudged" },
    { key: "path", args: {}, wanted: "unjudged" },
    { key: "", args: { "": "/a" }, wanted: "holds" },
  ])("$key in $args: $wanted", ({ key, args, wanted }) => {
    expect(judge(path("/*", key), args)).toBe(wanted)
  })

  it.each(["__proto__", "constructor", "toString", "constructor.name", "path.length", "n.rawJSON"])(
    "I2, I4: %s finds nothing that was not sent, and says so",
    (key) => {
      const args = { path: "x", n: numberFrom("9007199254740993") }
      expect(judge(path("*", key), args, "deny")).toBe("unjudged")
    },
  )

  it("I4: what is inherited was not sent", () => {
    const inherited: JsonObject = Object.create({ path: "/a" })
    expect(judge(path("/*"), inherited)).toBe("unjudged")
    expect(judge(path("/*", "file.path"), { file: inherited })).toBe("unjudged")
  })

  it("I4: an own __proto__ is an argument like any other", () => {
    expect(judge(path("/*", "__proto__"), JSON.parse('{"__proto__": "/a"}'))).toBe("holds")
  })
})

describe("lists", () => {
  const cases: ReadonlyArray<{ paths: JsonValue; allow: string; deny: string }> = [
    { paths: ["/a", "/b"], allow: "holds", deny: "holds" },
    { paths: ["/a", "b"], allow: "fails", deny: "holds" },
    { paths: ["a", "b"], allow: "fails", deny: "fails" },
    { paths: ["/a", 5], allow: "unjudged", deny: "holds" },
    { paths: ["a", 5], allow: "fails", deny: "unjudged" },
    { paths: [], allow: "unjudged", deny: "fails" },
    { paths: [["/a"], ["/b", "/c"]], allow: "holds", deny: "holds" },
    { paths: [["/a"], []], allow: "unjudged", deny: "holds" },
    { paths: null, allow: "unjudged", deny: "unjudged" },
  ]
  it.each(cases)("I3: $paths: an allow $allow, a deny or ask $deny", ({ paths, allow, deny }) => {
    expect(judge(path("/*"), { path: paths }, "allow")).toBe(allow)
    expect(judge(path("/*"), { path: paths }, "deny")).toBe(deny)
    expect(judge(path("/*"), { path: paths }, "ask")).toBe(deny)
  })

  it("compares a whole list where the rule's value is one", () => {
    const condition: Condition = { key: "tags", op: "equals", value: ["a", "b"] }
    expect(judge(condition, { tags: ["a", "b"] })).toBe("holds")
    expect(judge(condition, { tags: ["a"] }, "deny")).toBe("fails")
    expect(judge(condition, { tags: "a" }, "deny")).toBe("unjudged")
  })

  it.each<{ values: readonly JsonValue[]; sent: JsonValue; allow: string; deny: string }>([
    { values: ["a", ["a", "b"]], sent: "a", allow: "holds", deny: "holds" },
    { values: ["a", ["a", "b"]], sent: ["a", "b"], allow: "holds", deny: "holds" },
    { values: ["a", ["a", "b"]], sent: ["a"], allow: "fails", deny: "holds" },
    { values: ["a", ["a", "b"]], sent: ["x", "a"], allow: "fails", deny: "holds" },
    { values: ["a", ["a", "b"]], sent: [["a", "b"]], allow: "fails", deny: "holds" },
    { values: ["a", ["a", "b"]], sent: [["x"], [["a"]]], allow: "unjudged", deny: "holds" },
    { values: ["a", ["a", "b"]], sent: ["x"], allow: "fails", deny: "fails" },
    { values: ["a", ["a", "b"]], sent: [5], allow: "fails", deny: "unjudged" },
    { values: ["a", ["a", "b"]], sent: [], allow: "fails", deny: "fails" },
    { values: ["a", []], sent: [], allow: "holds", deny: "holds" },
    { values: [["a", "b"]], sent: [["a", "b"], ["x"]], allow: "unjudged", deny: "holds" },
    { values: [["a", "b"]], sent: ["x", "y"], allow: "fails", deny: "fails" },
    { values: [[1]], sent: ["1"], allow: "unjudged", deny: "unjudged" },
    { values: [[1], ["x"]], sent: ["1"], allow: "fails", deny: "unjudged" },
  ])("I3: one of $values, sent $sent: an allow compares the list, a deny or ask also what is in it", (given) => {
    const condition: Condition = { key: "tags", op: "oneOf", values: given.values }
    expect(judge(condition, { tags: given.sent }, "allow")).toBe(given.allow)
    expect(judge(condition, { tags: given.sent }, "deny")).toBe(given.deny)
    expect(judge({ ...condition, key: "deep.tags" }, { deep: [{ tags: given.sent }] }, "ask")).toBe(given.deny)
  })
})

describe("equals and oneOf", () => {
  it.each<{ value: JsonValue; sent: JsonValue; wanted: string }>([
    { value: "a", sent: "a", wanted: "holds" },
    { value: "a", sent: "A", wanted: "fails" },
    { value: true, sent: true, wanted: "holds" },
    { value: true, sent: false, wanted: "fails" },
    { value: true, sent: "true", wanted: "unjudged" },
    { value: 1, sent: 1.0, wanted: "holds" },
    { value: 1, sent: "1", wanted: "unjudged" },
    { value: 0, sent: -0, wanted: "holds" },
    { value: null, sent: null, wanted: "holds" },
    { value: null, sent: "x", wanted: "unjudged" },
    { value: { a: 1, b: [2] }, sent: { b: [2], a: 1 }, wanted: "holds" },
    { value: { a: 1 }, sent: { a: 1, b: 2 }, wanted: "fails" },
    { value: 9007199254740992, sent: numberFrom("9007199254740993"), wanted: "unjudged" },
    { value: numberFrom("9007199254740993"), sent: numberFrom("9007199254740993.0"), wanted: "holds" },
    { value: 0, sent: numberFrom("1e-400"), wanted: "unjudged" },
    { value: 7, sent: numberFrom("7.00000000000000000001"), wanted: "unjudged" },
    { value: 7, sent: numberFrom("6.99999999999999999999"), wanted: "unjudged" },
    { value: 7, sent: numberFrom("8.00000000000000000001"), wanted: "fails" },
  ])("equals $value, sent $sent: $wanted", ({ value, sent, wanted }) => {
    expect(judge({ key: "x", op: "equals", value }, { x: sent }, "deny")).toBe(wanted)
  })

  it.each([
    ["b", "holds"],
    ["5", "unjudged"],
    [5, "holds"],
    [6, "unjudged"],
    [true, "unjudged"],
  ] as const)("I2: one of a, b and 5, sent %j: %s, for one value of another type is a doubt", (sent, wanted) => {
    const condition: Condition = { key: "x", op: "oneOf", values: ["a", "b", 5] }
    expect(judge(condition, { x: sent }, "deny")).toBe(wanted)
    expect(judge(condition, { x: sent }, "ask")).toBe(wanted)
    expect(judge(condition, { x: sent }) === "holds").toBe(wanted === "holds")
  })
})

describe("atMost and atLeast", () => {
  it.each([
    ["10", "holds", "holds"],
    ["9.99", "holds", "fails"],
    ["-11", "holds", "fails"],
    ["10.000000000000000000001", "unjudged", "holds"],
    ["9.9999999999999999999999", "holds", "unjudged"],
    ["1e400", "fails", "holds"],
    ["-1e400", "holds", "fails"],
    ["1e-400", "holds", "fails"],
    ["0e99999999999999999999", "holds", "fails"],
    ["1e99999999999999999999", "unjudged", "unjudged"],
  ])("I5: %s against 10: at most %s, at least %s", (source, atMost, atLeast) => {
    const args = { n: numberFrom(source) }
    expect(judge({ key: "n", op: "atMost", value: 10 }, args)).toBe(atMost)
    expect(judge({ key: "n", op: "atLeast", value: 10 }, args)).toBe(atLeast)
  })

  it("I5: leaves 9007199254740993, which doubles round down to the limit, to a person", () => {
    const args = { n: numberFrom("9007199254740993") }
    expect(judge({ key: "n", op: "atMost", value: 9007199254740992 }, args)).toBe("unjudged")
  })

  it.each<JsonValue>(["5", null, true, {}, { rawJSON: "5" }])("leaves %j, which is no number, to a person", (n) => {
    expect(judge({ key: "n", op: "atMost", value: 10 }, { n })).toBe("unjudged")
  })
})

describe("several conditions", () => {
  const holds = path("*", "text")
  const fails = path("nothing", "text")
  const unjudged = path("*", "absent")
  const args = { text: "x" }

  it.each([
    { name: "none at all", conditions: [], wanted: "holds" },
    { name: "all that hold", conditions: [holds, holds], wanted: "holds" },
    { name: "one that fails", conditions: [holds, fails], wanted: "fails" },
    { name: "one that is unjudged", conditions: [holds, unjudged, holds], wanted: "unjudged" },
    { name: "unjudged, then surely failing", conditions: [unjudged, fails], wanted: "fails" },
    { name: "surely failing, then unjudged", conditions: [fails, unjudged], wanted: "fails" },
  ])("R38: $name: $wanted", ({ conditions, wanted }) => {
    for (const effect of ["allow", "deny", "ask"] as const) {
      expect(short(compileConditions(conditions, effect, {})(args))).toBe(wanted)
    }
  })

  it.each([
    [{ key: "a.b", op: "glob", pattern: "*" }, {}, 'the argument "a.b" is missing'],
    [{ key: "a", op: "glob", pattern: "*" }, { a: 1 }, 'the argument "a" is not text'],
    [{ key: "a", op: "glob", pattern: "*" }, { a: [] }, 'the argument "a" is an empty list'],
    [{ key: "a", op: "atMost", value: 1 }, { a: "1" }, 'the argument "a" is not a number'],
    [{ key: "a", op: "under", folder: "/w" }, { a: "x" }, 'the argument "a" is relative'],
    [{ key: "a", op: "host", patterns: ["x:80"] }, { a: "http://x" }, "leave out scheme, port and path"],
  ] as const)("says of %j on %j: %s", (condition, args, sentence) => {
    expect(compileConditions([condition], "allow", {})(args)).toEqual({ unjudged: expect.stringContaining(sentence) })
  })
})

describe("whatever is sent", () => {
  const word = fc.constantFrom("a", "b", "/w/x", "/w/../x", "https://a.b", "x")
  const value: fc.Arbitrary<JsonValue> = fc.oneof(
    word,
    fc.integer({ min: -2, max: 2 }),
    fc.constantFrom(null, true, false),
    fc.array(fc.oneof(word, fc.integer({ min: -2, max: 2 }), fc.array(word, { maxLength: 2 })), { maxLength: 3 }),
    fc.record({ b: word }, { requiredKeys: [] }),
  )
  const anyArgs = fc.record({ a: value, b: value }, { requiredKeys: [] })
  const key = fc.constantFrom("a", "b", "a.b")
  const anyCondition: fc.Arbitrary<Condition> = fc.oneof(
    fc.record({ key, op: fc.constant("equals" as const), value }),
    fc.record({ key, op: fc.constant("oneOf" as const), values: fc.array(value, { maxLength: 2 }) }),
    fc.record({ key, op: fc.constant("glob" as const), pattern: fc.constantFrom("*", "a", "/w/*") }),
    fc.record({ key, op: fc.constant("under" as const), folder: fc.constant("/w") }),
    fc.record({ key, op: fc.constant("host" as const), patterns: fc.constant(["a.*"]) }),
    fc.record({ key, op: fc.constant("atMost" as const), value: fc.integer({ min: -1, max: 1 }) }),
  )

  it("I1: an allow holds only if each of its conditions holds by itself", () => {
    fc.assert(
      fc.property(fc.array(anyCondition, { maxLength: 3 }), anyArgs, (conditions, args) => {
        const alone = conditions.map((condition) => judge(condition, args))
        const together = short(compileConditions(conditions, "allow", {})(args))
        expect(together === "holds").toBe(alone.every((one) => one === "holds"))
      }),
      { numRuns: 500 },
    )
  })

  it("I2: a deny or ask fails only if one of its conditions surely fails", () => {
    fc.assert(
      fc.property(fc.array(anyCondition, { maxLength: 3 }), anyArgs, (conditions, args) => {
        const alone = conditions.map((condition) => judge(condition, args, "deny"))
        const together = short(compileConditions(conditions, "deny", {})(args))
        expect(together === "fails").toBe(alone.includes("fails"))
        if (!alone.includes("fails")) expect(together === "unjudged").toBe(alone.includes("unjudged"))
      }),
      { numRuns: 500 },
    )
  })

  it("I2, I3: a deny by values fails only if the argument and all that is in its lists surely differ from each of them", () => {
    const within = (found: JsonValue): readonly JsonValue[] =>
      Array.isArray(found) ? [found, ...found.flatMap(within)] : [found]
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), value, (values, a) => {
        const answer = judge({ key: "a", op: "oneOf", values }, { a }, "deny")
        const isAmong = within(a).some((found) => values.some((one) => sameJson(one, found) === true))
        expect(answer === "holds").toBe(isAmong)
        // What is in a list is compared with lists as a list.
        const isLike = (one: JsonValue, found: JsonValue) =>
          found === a && !Array.isArray(a) ? true : Array.isArray(one) === Array.isArray(found)
        const isDoubtful = within(a).some((found) =>
          values.some((one) => isLike(one, found) && sameJson(one, found) === null),
        )
        if (!isAmong) expect(answer).toBe(isDoubtful ? "unjudged" : "fails")
      }),
      { numRuns: 2_000 },
    )
  })

  it("I3: whatever an allow would accept, a deny would catch", () => {
    fc.assert(
      fc.property(anyCondition, anyArgs, (condition, args) => {
        if (judge(condition, args, "allow") === "holds") expect(judge(condition, args, "deny")).toBe("holds")
      }),
      { numRuns: 500 },
    )
  })
})
