import { expect, it } from "vitest"
import { runView } from "../../../../../packages/ui/src/run/fixtures/runs.ts"
import { serversInWords, shortTitle, starterInWords, withLive } from "./run-facts.ts"
import { readRunFilter } from "./run-filter.ts"
import { waitingTitle } from "./waiting-title.ts"

it.each([
  { search: {}, filter: "" },
  { search: { status: "paused" }, filter: "paused" },
  { search: { status: "constructor" }, filter: "" },
  { search: { status: 7 }, filter: "" },
])("the address $search shows runs of state “$filter”", ({ search, filter }) => {
  expect(readRunFilter(search)).toBe(filter)
})

it.each([
  { waiting: 1, all: 1, title: "1 call needs your approval" },
  { waiting: 2, all: 2, title: "2 calls need your approval" },
  { waiting: 1, all: 3, title: "1 call needs your approval, 2 of 3 decided" },
  { waiting: 0, all: 3, title: "Everything is decided; the run continues" },
])("$title", ({ waiting, all, title }) => {
  expect(waitingTitle(waiting, all)).toBe(title)
})

it("names a program that started a run as one", () => {
  expect(starterInWords({ kind: "runner", id: "nightly" })).toBe("program nightly")
  expect(starterInWords({ kind: "reviewer", id: "ada" })).toBe("ada")
  expect(serversInWords([])).toBe("no servers")
})

it("cuts a long task for the heading", () => {
  expect(shortTitle("Tidy my notes")).toBe("Tidy my notes")
  expect(shortTitle("word ".repeat(30))).toMatch(/^(?:word ){13}word…$/)
})

it("counts the leg under way, and only that", () => {
  const usage = { input: 100, output: 10, total: 110 }
  const step = { text: "", reasoning: "", calls: [], usage }
  const live = { leg: 2, steps: [step, { ...step, usage: null }], outcomes: new Map(), attempt: null }
  expect(withLive(runView(0), live)).toEqual({ steps: 5, usage: { input: 12_000, output: 450, total: 12_450 } })
  expect(withLive(runView(0), { ...live, leg: 1 })).toMatchObject({ steps: 3 })
  expect(withLive(runView(0, { status: "finished" }), live)).toMatchObject({ steps: 3 })
})
