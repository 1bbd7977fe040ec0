import type { GrantView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { levelChoices, levelLabel } from "./grant-levels.ts"

const session = { principal: "agent", id: "s1" }
const now = 1_000

function grant(part: Partial<GrantView>): GrantView {
  return {
    id: "g",
    version: 1,
    effect: "allow",
    breadth: { kind: "tool", server: "files", tool: "write_file" },
    level: "AllowAlways",
    words: "",
    text: "",
    createdAt: 1,
    createdBy: "ada",
    from: null,
    lastUsedAt: null,
    timesUsed: 0,
    ...part,
  }
}

describe("levels of a grant", () => {
  it.each<{ name: string; is: Partial<GrantView>; levels: readonly string[] }>([
    { name: "always allowed", is: {}, levels: ["Ask", "DenyAlways"] },
    {
      name: "allowed in a session",
      is: { level: "AllowSession", session },
      levels: ["Ask", "AllowAlways", "DenyAlways"],
    },
    {
      name: "allowed for some uses of a session",
      is: { level: "AllowOnce", session, usesLeft: 2 },
      levels: ["Ask", "AllowSession", "AllowAlways", "DenyAlways"],
    },
    { name: "always denied", is: { effect: "deny", level: "DenyAlways" }, levels: ["Ask", "AllowAlways"] },
    {
      name: "denied over several servers",
      is: { effect: "deny", level: "DenyAlways", breadth: { kind: "pattern", server: "*", tool: "delete_*" } },
      levels: ["Ask"],
    },
  ])("what is $name can become only what its kind offers", ({ is, levels }) => {
    expect(levelChoices(grant(is), now).map(({ level }) => level)).toEqual(levels)
  })

  it("says in words what will hold, and warns of what widens", () => {
    const denied = levelChoices(grant({ effect: "deny", level: "DenyAlways" }), now)
    expect(denied.map(({ words, widens }) => [words, widens])).toEqual([
      [expect.stringContaining("The denial is removed"), true],
      ["For every agent, always allow files(write_file).", true],
    ])
    const allowed = levelChoices(grant({ level: "AllowSession", session, until: now + 60_000 }), now)
    expect(allowed.map(({ level, words, widens }) => [level, words, widens])).toEqual([
      ["Ask", expect.stringContaining("needs approval"), false],
      ["AllowAlways", "For every agent, always allow files(write_file).", true],
      ["DenyAlways", "For every agent, always deny files(write_file).", false],
    ])
  })

  it.each([
    { is: { effect: "allow", usesLeft: 1 }, label: "Allowed once" },
    { is: { effect: "allow", usesLeft: 5 }, label: "Allowed 5 times" },
    { is: { effect: "allow", until: 9 }, label: "Allowed temporarily" },
    { is: { effect: "deny", session }, label: "Denied for a session" },
  ] as const)("is called $label", ({ is, label }) => {
    expect(levelLabel(is)).toBe(label)
  })
})
