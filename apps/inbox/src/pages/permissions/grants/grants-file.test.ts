import { describe, expect, it } from "vitest"
import { grantsFileText, readGrantsFile } from "./grants-file.ts"

const breadth = { kind: "tool", server: "files", tool: "read_file" } as const

describe("a file of grants", () => {
  it("reads what it wrote, and says each line in words", () => {
    const file = {
      version: 1 as const,
      grants: [
        { effect: "allow" as const, breadth, uses: 3, reason: "Often." },
        {
          effect: "deny" as const,
          breadth: { kind: "server" as const, server: "web", access: "all" as const },
          until: 5,
        },
      ],
    }
    const read = readGrantsFile(grantsFileText(file), 10)
    expect(read).toMatchObject({
      ok: true,
      file,
      lines: [
        { words: "For every agent, allow files(read_file), 3 times", reason: "Often.", isOver: false },
        { effect: "deny", isOver: true },
      ],
    })
  })

  it("says whole what each line is about, also under a secret's name", () => {
    const when = [
      { key: "token", op: "equals" as const, value: "abc" },
      { key: "auth", op: "glob" as const, pattern: "*".repeat(24) },
    ]
    const file = { version: 1 as const, grants: [{ effect: "allow" as const, breadth: { ...breadth, when } }] }
    const read = readGrantsFile(grantsFileText(file), 0)
    expect(read).toMatchObject({
      lines: [
        {
          words: `For every agent, always allow files(read_file) when token is "abc" and auth matches "${"*".repeat(24)}"`,
          text: `allow: "files(read_file)" when token equals "abc" and auth glob "${"*".repeat(24)}" for every agent`,
        },
      ],
    })
  })

  it.each([
    { name: "what is not JSON", text: "hello", says: "not valid JSON" },
    { name: "another version", text: '{"version": 2, "grants": []}', says: "version" },
    { name: "a key it does not know", text: '{"version": 1, "grants": [], "more": 1}', says: "Nothing was imported" },
    {
      name: "a session, which does not travel",
      text: JSON.stringify({
        version: 1,
        grants: [{ effect: "allow", breadth, session: { principal: "a", id: "b" } }],
      }),
      says: "Nothing was imported",
    },
  ])("refuses $name, wholly", ({ text, says }) => {
    expect(readGrantsFile(text, 0)).toMatchObject({ ok: false, problem: expect.stringContaining(says) })
  })
})
