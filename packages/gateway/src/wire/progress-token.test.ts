import type { JsonValue } from "@byleave/core"
import { expect, it } from "vitest"
import { progressTokenOf } from "./progress-token.ts"

const given = (progressToken: JsonValue) => progressTokenOf({ _meta: { progressToken } })

it.each<string | number>(["a", "", 0, 7, "x".repeat(256)])("%j is a token", (token) => {
  expect(given(token)).toBe(token)
})

it.each<JsonValue>(["x".repeat(257), {}, ["a"], null, true])("%j is none", (token) => {
  expect(given(token)).toBeUndefined()
})

it("a request may want nothing told", () => {
  expect(progressTokenOf({ _meta: {} })).toBeUndefined()
  expect(progressTokenOf(undefined)).toBeUndefined()
})
