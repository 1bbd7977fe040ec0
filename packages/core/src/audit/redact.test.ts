import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonValue } from "../call/json/json.ts"
import { numberFrom } from "../call/json/raw-number.ts"
import { isSecretKey } from "../policy/risks/secret-key.ts"
import { createRedactor } from "./redact.ts"

const token = "ghp_16C7e42F292c6912E7710c83"
const base64 = (text: string): string => Buffer.from(text).toString("base64")

describe("redaction by name", () => {
  const { redact } = createRedactor({ keys: ["*iban*", "Licence"] })

  it.each<{ name: string; value: JsonValue; redacted: JsonValue }>([
    { name: "a string", value: { password: "hunter2" }, redacted: { password: "‹secret, 7 characters›" } },
    { name: "a number", value: { pin: 1234 }, redacted: { pin: "‹secret, 4 characters›" } },
    { name: "one character", value: { pin: "1" }, redacted: { pin: "‹secret, 1 character›" } },
    {
      name: "a list",
      value: { tokens: ["a", 12] },
      redacted: { tokens: ["‹secret, 1 character›", "‹secret, 2 characters›"] },
    },
    {
      name: "everything inside an object",
      value: { auth: { user: "bob", more: [{ x: "abc" }] } },
      redacted: { auth: { user: "‹secret, 3 characters›", more: [{ x: "‹secret, 3 characters›" }] } },
    },
    {
      name: "the value of a pair that names a secret",
      value: {
        env: [
          { name: "DB_PASSWORD", value: "abc" },
          { name: "HOME", value: "abc" },
        ],
      },
      redacted: {
        env: [
          { name: "DB_PASSWORD", value: "‹secret, 3 characters›" },
          { name: "HOME", value: "abc" },
        ],
      },
    },
    {
      name: "a configured glob, in any case",
      value: { fromIBAN: "DE02" },
      redacted: { fromIBAN: "‹secret, 4 characters›" },
    },
    { name: "a configured name", value: { licence: "x" }, redacted: { licence: "‹secret, 1 character›" } },
    { name: "a number kept as text", value: { pin: numberFrom("1e400") }, redacted: { pin: "‹secret, 5 characters›" } },
  ])("masks $name and keeps its length", ({ value, redacted }) => {
    expect(redact(value)).toEqual(redacted)
  })

  it("leaves nothing, yes and no: they tell nothing", () => {
    const value = { password: null, secret: true, token: "" }
    expect(redact(value)).toBe(value)
  })

  it("keeps a member called __proto__ a member", () => {
    const redacted = redact(JSON.parse('{"__proto__":{"password":"abc"}}'))
    expect(JSON.stringify(redacted)).toBe('{"__proto__":{"password":"‹secret, 3 characters›"}}')
    expect(Object.getPrototypeOf(redacted)).toBe(Object.prototype)
  })

  it("cuts off what is nested so deeply that nothing could write it", () => {
    let deep: JsonValue = { password: "abc" }
    for (let depth = 0; depth < 10_000; depth++) deep = depth % 2 === 0 ? [deep] : { deep }
    expect(JSON.stringify(redact(deep))).toContain("nested too deeply to be kept")
  })

  it("passes a number kept as text through", () => {
    const value = { amount: numberFrom("9007199254740993") }
    expect(redact(value)).toBe(value)
  })
})

describe("redaction by value", () => {
  const { redact, redactText } = createRedactor({
    values: [token, 'pa"ss/wörd ?', "4444333322221111", "abc", "", "  padded-value\n"],
  })

  it.each([
    { form: "as it is", text: `Bearer ${token}.` },
    { form: "twice", text: `${token}${token}` },
    { form: "in base64", text: `Basic ${base64(token)}` },
    { form: "in base64 after one byte", text: base64(`u${token}`) },
    { form: "in base64 after two bytes", text: base64(`u:${token}:more`) },
    { form: "in base64 for URLs", text: Buffer.from(`user:${token}`).toString("base64url") },
    { form: "in a URL", text: `https://x.example/?q=${encodeURIComponent('pa"ss/wörd ?')}` },
    { form: "in a URL with small letters", text: "pa%22ss%2fw%c3%b6rd%20%3f" },
    { form: "in a form", text: "pa%22ss%2Fw%C3%B6rd+%3F" },
    { form: "in JSON", text: JSON.stringify({ a: 'pa"ss/wörd ?' }) },
    { form: "in JSON of plain letters", text: '{"a":"pa\\"ss/w\\u00f6rd ?"}' },
    { form: "without the spaces around it", text: "x=padded-value;" },
  ])("masks a secret $form", ({ text }) => {
    expect(redactText(text)).toMatch(/‹secret, \d+ characters›/)
    expect(redactText(text)).not.toMatch(/ghp_|wörd|w%|w\\u|padded|Z2hwX|hwXz|nHBf/)
  })

  it("keeps what stands around a secret, and says how long it was", () => {
    expect(redactText(`a ${token} b`)).toBe(`a ‹secret, ${token.length} characters› b`)
  })

  it("finds a secret in numbers and in names, and loses no member", () => {
    expect(redact([4444333322221111, numberFrom("44443333222211110000")])).toEqual([
      "‹secret, 16 characters›",
      "‹secret, 20 characters›",
    ])
    const named = redact({ [token]: 1, [token.toLowerCase()]: 2 }) as object
    expect(Object.keys(named)).toEqual([`‹secret, ${token.length} characters›`, token.toLowerCase()])
    const alike = createRedactor({ values: ["aaaa", "bbbb"] }).redact({ aaaa: 1, bbbb: 2 })
    expect(Object.values(alike as object)).toEqual([1, 2])
  })

  it("does not look for values shorter than four characters", () => {
    expect(redactText("abc abc")).toBe("abc abc")
  })

  it("says nothing where the words of the mask would spell the secret", () => {
    const careful = createRedactor({ values: ["secret", "characters›", "‹ab›"] })
    const redacted = careful.redactText("my secret and characters› and ‹ab›!")
    expect(redacted).not.toMatch(/secret|characters›|‹ab›/)
  })

  it("keeps a mask from joining what stands beside it to a secret", () => {
    const careful = createRedactor({ values: [token, "›abc", "abc‹"] })
    expect(careful.redactText(`abc${token}abc`)).not.toMatch(/›abc|abc‹/)
  })

  it("I1: no configured value is in what comes out, wherever it went in", () => {
    const alphabet = fc.constantFrom("a", "b", "ab", "1", "-", '"', "\\", "‹", "›", "s", "é", "%", "💡", " ")
    const secret = fc.string({ unit: alphabet, minLength: 4, maxLength: 10 })
    const around = fc.string({ unit: alphabet, maxLength: 12 })
    const value = (secrets: readonly string[]) =>
      fc.letrec((tie) => ({
        text: fc.tuple(around, fc.constantFrom(...secrets, ""), around).map((parts) => parts.join("")),
        node: fc.oneof(
          { maxDepth: 3 },
          tie("text"),
          fc.integer(),
          fc.array(tie("node"), { maxLength: 3 }),
          fc.dictionary(tie("text") as fc.Arbitrary<string>, tie("node"), { maxKeys: 3 }),
        ),
      })).node as fc.Arbitrary<JsonValue>
    const anyCase = fc
      .array(secret, { minLength: 1, maxLength: 4 })
      .chain((secrets) => fc.tuple(fc.constant(secrets), value(secrets)))
    fc.assert(
      fc.property(anyCase, ([values, input]) => {
        const before = JSON.stringify(input)
        const texts = textsOf(createRedactor({ values }).redact(input))
        expect(JSON.stringify(input)).toBe(before)
        for (const hidden of values) for (const text of texts) expect(text.includes(hidden)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  it("I2: nothing under a secret's name comes out", () => {
    const leaf = fc.oneof(fc.stringMatching(/^[x-z]{3,8}$/), fc.integer({ min: 100_000 }))
    const inside = fc.oneof(leaf, fc.array(leaf), fc.dictionary(fc.constantFrom("q", "r"), fc.array(leaf)))
    fc.assert(
      fc.property(fc.constantFrom("password", "apiKey", "Set-Cookie"), inside, (key, value) => {
        const redacted = JSON.stringify(createRedactor().redact({ list: [{ [key]: value }] } as JsonValue))
        for (const text of textsOf(value as JsonValue)) {
          if (text.length > 2) expect(redacted).not.toContain(text)
        }
      }),
      { numRuns: 200 },
    )
  })

  it("I3: what holds no secret comes out as the same object", () => {
    const { redact: unchanged } = createRedactor({ values: ["§§§§§"] })
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!textsOf(value as JsonValue).some(isSecretKey))
        expect(unchanged(value as JsonValue)).toBe(value)
      }),
    )
    const value = { path: "/a/b", list: [1, { deep: "text" }], none: null }
    expect(unchanged(value)).toBe(value)
    const partly = { keep: { a: 1 }, password: "abc" }
    expect((redact(partly) as typeof partly).keep).toBe(partly.keep)
  })

  it("takes as many steps as the text is long, however many secrets nearly match", () => {
    const values = Array.from({ length: 2_000 }, (_, index) => `${"a".repeat(40)}${index}-end`)
    const text = "a".repeat(2_000_000)
    expect(createRedactor({ values }).redactText(text)).toBe(text)
  })
})

function textsOf(value: JsonValue): readonly string[] {
  if (value === null || typeof value !== "object") return [String(value)]
  return Object.entries(value).flatMap(([key, inner]) =>
    Array.isArray(value) ? textsOf(inner) : [key, ...textsOf(inner)],
  )
}
