import { describe, expect, it } from "vitest"
import { levelChoices, levelLabel } from "./grant-levels.ts"

const tool = { kind: "tool", server: "files", tool: "write_file" } as const
const session = { principal: "agent", id: "s1" }
const levelsOf = (grant: Parameters<typeof levelChoices>[0]) => levelChoices(grant).map(({ level }) => level)

describe("levels of a grant", () => {
  it.each([
    {
      name: "always allowed",
      grant: { effect: "allow", breadth: tool, level: "AllowAlways" },
      levels: ["Ask", "DenyAlways"],
    },
    {
      name: "allowed in a session",
      grant: { effect: "allow", breadth: tool, level: "AllowSession", session },
      levels: ["Ask", "AllowAlways", "DenyAlways"],
    },
    {
      name: "allowed for some uses of a session",
      grant: { effect: "allow", breadth: tool, level: "AllowOnce", session, usesLeft: 2 },
      levels: ["Ask", "AllowSession", "AllowAlways", "DenyAlways"],
    },
    {
      name: "always denied",
      grant: { effect: "deny", breadth: tool, level: "DenyAlways" },
      levels: ["Ask", "AllowAlways"],
    },
    {
      name: "denied over several servers",
      grant: { effect: "deny", breadth: { kind: "pattern", server: "*", tool: "delete_*" }, level: "DenyAlways" },
      levels: ["Ask"],
    },
  ] as const)("what is $name can become only what its kind offers", ({ grant, levels }) => {
    expect(levelsOf(grant)).toEqual(levels)
  })

  it("says in words what will hold, and warns of what widens", () => {
    const choices = levelChoices({ effect: "deny", breadth: tool, level: "DenyAlways" })
    expect(choices.map(({ words, widens }) => [words, widens])).toEqual([
      [expect.stringContaining("The no is forgotten"), true],
      ["Always allow files(write_file).", true],
    ])
    const allowed = levelChoices({ effect: "allow", breadth: tool, level: "AllowSession", session })
    expect(allowed.map(({ level, widens }) => [level, widens])).toEqual([
      ["Ask", false],
      ["AllowAlways", true],
      ["DenyAlways", false],
    ])
  })

  it.each([
    { grant: { effect: "allow", level: "AllowOnce", usesLeft: 1 }, label: "Allowed once" },
    { grant: { effect: "allow", level: "AllowOnce", usesLeft: 5 }, label: "Allowed 5 times" },
    { grant: { effect: "allow", level: "AllowAlways", until: 9 }, label: "Allowed for a while" },
    { grant: { effect: "deny", level: "DenyAlways", session }, label: "Denied in a session" },
  ] as const)("is called $label", ({ grant, label }) => {
    expect(levelLabel({ ...grant, breadth: tool })).toBe(label)
  })
})
