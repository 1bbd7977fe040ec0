import { expect, it } from "vitest"
import { newId } from "./new-id.ts"

it("makes version 7 UUIDs that sort by time and never repeat", () => {
  const early = newId(1_000)
  const late = newId(1_700_000_000_000)
  expect(early < late).toBe(true)
  expect(late).toMatch(/^018bcfe5-6800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(Array.from({ length: 10_000 }, () => newId(5))).size).toBe(10_000)
})
