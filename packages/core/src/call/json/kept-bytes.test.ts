import fc from "fast-check"
import { expect, it } from "vitest"
import type { JsonValue } from "./json.ts"
import { bytesPerValue, keptBytes, valuesIn } from "./kept-bytes.ts"

it.each([
  { json: "null", values: 1 },
  { json: "[]", values: 1 },
  { json: "{}", values: 1 },
  { json: "[[],{}]", values: 3 },
  { json: '{"a":[1,2],"b":"x,[{"}', values: 5 },
  { json: '["\\"[,","\\\\",""]', values: 4 },
])("$json has $values values", ({ json, values }) => {
  expect(valuesIn(json)).toBe(values)
  expect(keptBytes(json)).toBe(json.length + values * bytesPerValue)
})

it("counts every value that JSON.stringify writes, and nothing within texts", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => valuesIn(JSON.stringify(value)) === countOf(value as JsonValue)))
})

it("never counts fewer, however the text is spaced or broken off", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
      expect(valuesIn(JSON.stringify(value, null, 2))).toBeGreaterThanOrEqual(countOf(value as JsonValue))
      expect(valuesIn(JSON.stringify(value).slice(0, cut))).toBeGreaterThan(0)
    }),
  )
})

function countOf(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 1
  return Object.values(value).reduce((sum: number, member) => sum + countOf(member as JsonValue), 1)
}
