import { describe, expect, it } from "vitest"
import { callsQuery, chipsOf, dayOf, dayStart, readFilters, without } from "./activity-filters.ts"

describe("filters in an address", () => {
  it("are read as they were meant, ids of digits included", () => {
    expect(readFilters({ effect: "ask,deny", session: 42, since: "1000", server: "files" })).toEqual({
      effect: "ask,deny",
      session: "42",
      since: 1_000,
      server: "files",
    })
  })

  it("that nobody could have meant are left out", () => {
    expect(
      readFilters({ effect: "constructor,everything", outcome: { a: 1 }, since: -1, until: "soon", tool: "", more: 1 }),
    ).toEqual({})
  })

  it("say how far back from now, in whole minutes so that the list is not read anew all the time", () => {
    const now = 1_000 * 60_000
    expect(callsQuery({ last: 3_600_000, server: "files" }, now + 10)).toEqual({ server: "files", since: 940 * 60_000 })
    expect(callsQuery({ since: 5 }, now)).toEqual({ since: 5 })
  })
})

describe("days in a filter", () => {
  it("are the reader's own, from their first moment to their last", () => {
    const start = new Date(2026, 2, 1).getTime()
    expect(dayStart("2026-03-01")).toBe(start)
    expect(dayStart("2026-02-28", 1)).toBe(start)
    expect(dayOf(start)).toBe("2026-03-01")
    expect(dayOf(start - 1)).toBe("2026-02-28")
    expect(dayStart("soon")).toBeNull()
  })
})

describe("chips", () => {
  it("say denied once, whoever said no, and the words that are looked for", () => {
    const chips = chipsOf({ text: "notes", outcome: "denied,refused" })
    expect(chips.map(({ label, value }) => `${label}: ${value}`)).toEqual(["Outcome: Denied", "Search: notes"])
  })

  it("name everything the list is narrowed to", () => {
    const chips = chipsOf({
      effect: "allow,ask",
      outcome: "succeeded",
      code: "denied-by-rule",
      decidedFromMs: 5_000,
      last: 3_600_000,
    })
    expect(chips.map(({ label, value }) => `${label}: ${value}`)).toEqual([
      "Policy: Allowed without approval or Needed approval",
      "Outcome: Succeeded",
      "Reason not run: Denied by a rule",
      "Decided after: over 5 s",
      "Time: Last hour",
    ])
  })

  it("take away all they stand for", () => {
    expect(without({ since: 1, until: 2, server: "files" }, ["since", "until"])).toEqual({ server: "files" })
  })
})
