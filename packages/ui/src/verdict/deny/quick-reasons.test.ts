import { expect, it } from "vitest"
import { keepReason, quickReasons } from "./quick-reasons.ts"

function storeWith(text: string | null) {
  let kept = text
  return {
    getItem: () => kept,
    setItem: (_: string, next: string) => {
      kept = next
    },
  }
}

it("offers three reasons, and the reviewer's own last three, the newest first", () => {
  const store = storeWith(null)
  expect(quickReasons(store)).toHaveLength(3)
  for (const reason of ["one", "two", "three", " two ", "four", "", "x".repeat(201)]) keepReason(store, reason)
  expect(quickReasons(store).slice(3)).toEqual(["four", "two", "three"])
})

it("keeps none of the fixed ones as one's own", () => {
  const store = storeWith(null)
  keepReason(store, quickReasons(store)[0] ?? "")
  expect(quickReasons(store)).toHaveLength(3)
})

it.each(["{", '{"a":1}', "[1]"])("offers the fixed ones where the browser kept %j", (text) => {
  expect(quickReasons(storeWith(text))).toHaveLength(3)
})
