import { expect, it } from "vitest"
import { staleness } from "./stale-reads.ts"

it.each([
  { name: "a list of calls is read again at once", families: "approval", types: ["approval.pending"], is: "stale" },
  {
    name: "what joins several waits while only calls come",
    families: "session+mode+approval",
    types: ["approval.denied"],
    is: "stale-soon",
  },
  {
    name: "a mode is read again at once",
    families: "session+mode+approval",
    types: ["approval.denied", "mode.changed"],
    is: "stale",
  },
  { name: "what nothing touches stays", families: "grant", types: ["approval.pending", "mode.changed"], is: "fresh" },
])("$name", ({ families, types, is }) => {
  expect(staleness(families, new Set(types))).toBe(is)
})
