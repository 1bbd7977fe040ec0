import { describe, expect, it } from "vitest"
import { callsQuery, chipsOf, readFilters, without } from "./activity-filters.ts"

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

describe("chips", () => {
  it("name everything the list is narrowed to", () => {
    const chips = chipsOf({
      effect: "allow,ask",
      outcome: "succeeded",
      code: "denied-by-rule",
      decidedFromMs: 5_000,
      last: 3_600_000,
    })
    expect(chips.map(({ label, value }) => `${label}: ${value}`)).toEqual([
      "Decision: Allowed without asking or Asked",
      "Outcome: Done",
      "Refused because: A rule says no",
      "Answered after: over 5 s",
      "Time: Last hour",
    ])
  })

  it("take away all they stand for", () => {
    expect(without({ since: 1, until: 2, server: "files" }, ["since", "until"])).toEqual({ server: "files" })
  })
})
