import { describe, expect, it } from "vitest"
import { createTally } from "./tally.ts"

describe("a tally", () => {
  it("keeps so many names, counts those exactly, and tells those with most calls first", () => {
    const tally = createTally<{ readonly name: string }>(2)
    const count = (name: string) => tally.count(name, () => ({ name }), "allow")
    for (const name of ["a", "b", "c", "b", "c", "constructor"]) count(name)
    tally.count("b", () => ({ name: "b" }), "deny")
    expect(tally.most(5)).toEqual([
      { name: "b", allow: 2, ask: 0, deny: 1, hide: 0 },
      { name: "a", allow: 1, ask: 0, deny: 0, hide: 0 },
    ])
    expect(tally.most(1)).toHaveLength(1)
  })
})
