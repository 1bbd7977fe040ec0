import { expect, it } from "vitest"
import { serversInWords, starterInWords } from "./run-facts.ts"
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
