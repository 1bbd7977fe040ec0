import fc from "fast-check"
import { expect, it } from "vitest"
import { CallError } from "../call-error.ts"
import type { JsonValue } from "./json.ts"
import { readJson } from "./read-json.ts"
import { readStoredJson } from "./read-stored-json.ts"

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => `${value}`),
  fc.constantFrom("9007199254740993", "1e400", "-1e-400", "0.30000000000000000001", "123456789012345.67", "1.0"),
  fc.stringMatching(/^[1-9]\d{0,20}$/),
)

it("gives the values readJson gave, with the numbers that keep their text", () => {
  fc.assert(
    fc.property(fc.array(number), fc.jsonValue(), (numbers, other) => {
      const text = `{"numbers":[${numbers.join(", ")}],"one":${numbers[0] ?? 0},"__proto__":1,"o":[${JSON.stringify(other)}]}`
      const inbound = readJson(text)
      if (inbound.ok)
        expect(JSON.stringify(readStoredJson(JSON.stringify(inbound.value)))).toBe(JSON.stringify(inbound.value))
    }),
  )
})

it.each(["9007199254740993", "-1e400", "[1,1E-400]", '{"a":0.30000000000000000001}', '{"a": 12345678901234567}'])(
  "%s stays as it is written",
  (text) => {
    expect(JSON.stringify(readStoredJson(text)).replaceAll(" ", "")).toBe(text.replaceAll(" ", ""))
  },
)

it("takes what the strict reader refuses: it was ours to write", () => {
  const value = { a: 1, A: 2, half: "\ud800" } satisfies JsonValue
  expect(readStoredJson(JSON.stringify(value))).toEqual(value)
})

it.each(["", "{", "[1,]", "\ufeff1", '{"a":9007199254740993'])("throws on damaged text: %s", (text) => {
  expect(() => readStoredJson(text)).toThrow(
    expect.objectContaining({ name: "CallError", code: "stored-json-malformed" }),
  )
  expect(() => readStoredJson(text)).toThrow(CallError)
})
