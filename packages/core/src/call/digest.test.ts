import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { nodeHasher } from "../node/hasher.ts"
import { argsDigest } from "./digest.ts"
import type { JsonObject } from "./json/json.ts"
import { readJson } from "./json/read-json.ts"

function digestOf(text: string): string {
  const result = readJson(text)
  if (!result.ok) throw new Error(result.problem.message)
  return argsDigest(result.value as JsonObject, nodeHasher)
}

type Plain = null | boolean | number | string | Plain[] | Map<string, Plain>
const { plain } = fc.letrec<{ plain: Plain }>((tie) => ({
  plain: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Plain>(null, true, false, "", "a", "é", "\n", 0, 1, -2.5, 1e21, 1e-7),
    fc.array(tie("plain"), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom("a", "b", "c", "10", "9", "é"), tie("plain")), {
        selector: ([key]) => key,
        maxLength: 4,
      })
      .map((members): Plain => new Map(members)),
  ),
}))
const object = fc.array(plain, { maxLength: 3 }).map(
  (items) =>
    new Map<string, Plain>([
      ["x", items],
      ["y", 1],
    ]),
)

/** The value spelled in one of many ways. */
function spell(value: Plain, choice: () => number): string {
  const space = [" ", "", "\n\t"][choice() % 3]
  if (Array.isArray(value)) return `[${space}${value.map((item) => spell(item, choice)).join(`${space},`)}]`
  if (value instanceof Map) {
    const members = [...value].map(([key, inner]) => `${space}${spell(key, choice)}${space}:${spell(inner, choice)}`)
    return `{${(choice() % 2 ? members : members.reverse()).join()}${space}}`
  }
  if (typeof value === "number") return [`${value}`, value.toExponential(), spellDecimal(value)][choice() % 3] ?? ""
  if (typeof value !== "string" || choice() % 2) return JSON.stringify(value)
  return `"${[...value].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`
}

function spellDecimal(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : `${value}`.replace("e", "E")
}

describe("argsDigest", () => {
  it("is SHA-256 of the canonical text, in hex", () => {
    expect(argsDigest({}, nodeHasher)).toBe("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a")
    expect(argsDigest({ b: 1, a: "é" }, nodeHasher)).toBe(nodeHasher.sha256('{"a":"é","b":1}'))
  })

  it("is the same however the same arguments are spelled", () => {
    fc.assert(
      fc.property(object, fc.infiniteStream(fc.nat(5)), (args, choices) => {
        const choice = () => choices.next().value as number
        expect(digestOf(spell(args, choice))).toBe(digestOf(spell(args, choice)))
      }),
    )
  })

  it("differs for any two arguments that differ", () => {
    const plainly = (value: Plain): string => spell(value, () => 0)
    const sorted = (value: Plain): unknown =>
      value instanceof Map
        ? { members: [...value].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]) }
        : Array.isArray(value)
          ? value.map(sorted)
          : value
    fc.assert(
      fc.property(object, object, (a, b) => {
        const isSame = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
        expect(digestOf(plainly(a)) === digestOf(plainly(b))).toBe(isSame)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['{"n":1}', '{"n":1.0}', true],
    ['{"n":1}', '{"n":1e0}', true],
    ['{"n":0}', '{"n":-0}', true],
    ['{"n":9007199254740993}', '{"n":9007199254740992}', false],
    ['{"n":1e400}', '{"n":1e401}', false],
    ['{"n":1}', '{"n":"1"}', false],
    ['{"n":9007199254740993}', '{"n":"9007199254740993"}', false],
    ['{"n":9007199254740993}', '{"n":{"rawJSON":"9007199254740993"}}', false],
    ['{"n":null}', "{}", false],
    ['{"n":[]}', '{"n":{}}', false],
    ['{"n":[1,2]}', '{"n":[2,1]}', false],
    ['{"n":"é"}', '{"n":"e\u0301"}', false],
    ['{"__proto__":{}}', "{}", false],
  ])("%s and %s: same is %s", (a, b, isSame) => {
    expect(digestOf(a) === digestOf(b)).toBe(isSame)
  })
})
