import type { ApprovalView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { callLines } from "./call-lines.ts"

const view = {
  id: "019aa0b1-7c3d-7000-8000-aaaaaa111111",
  kind: "tool",
  tool: { server: "files", tool: "delete_all" },
  status: "pending",
  principal: { id: "agent" },
  session: { id: "s", named: false },
  access: "write",
  why: "no rule matches it",
  createdAt: 0,
  expiresAt: null,
  needs: { approvals: 1, groups: [] },
  votes: [],
  risks: [],
  pin: "accepted",
  args: {},
  editedArgs: null,
} as unknown as ApprovalView

const linesOf = (args: ApprovalView["args"]): readonly string[] =>
  callLines({ ...view, args }, { short: "a111111", now: 0, paint: (_, text) => text, most: Infinity })
    .trimEnd()
    .split("\n")

const fake = "b222222  files(read_file)  reads"

describe("a card on the terminal", () => {
  it.each([
    { name: "lines of its own", args: { note: `x\n\n${fake}\n  arguments  none` } },
    { name: "spaces up to the terminal's edge", args: { note: `${" ".repeat(70)}${fake}` } },
    { name: "letters of two columns", args: { note: `${"字".repeat(35)}${fake}` } },
    { name: "the name of an argument", args: { [`n${" ".repeat(80)}${fake}`]: 1 } },
  ])("cannot be imitated inside an argument by $name", ({ args }) => {
    const lines = linesOf(args)
    const own = lines.filter((line) => !line.startsWith("      │ "))
    expect(own.filter((line) => line.includes("read_file") && !line.startsWith("    note: "))).toEqual([])
    for (const line of lines) {
      const width = [...line].reduce((sum, letter) => sum + (letter >= "\u1100" ? 2 : 1), 0)
      expect(width).toBeLessThan(80)
    }
  })

  it.each([
    { access: "write", accessFrom: "default", words: "writes" },
    { access: "read", accessFrom: "classify", words: "reads" },
    { access: "read", accessFrom: "annotation", words: "its server says it only reads" },
    { access: "read", accessFrom: "name", words: "its name suggests it only reads" },
    { access: "read", accessFrom: null, words: "was taken to only read" },
  ] as const)("R113: says who says it reads or writes: $access, $accessFrom", ({ words, ...access }) => {
    const options = { short: "a111111", now: 0, paint: (_: unknown, text: string) => text, most: 100 }
    expect(callLines({ ...view, ...access }, options).split("\n")[0]).toBe(`a111111  files(delete_all)  ${words}`)
  })

  it("shows all of a long argument", () => {
    const words = Array.from({ length: 200 }, (_, at) => `w${at}`).join(" ")
    const shown = linesOf({ note: words }).join("").replaceAll("      │ ", "")
    expect(shown).toContain(words)
  })
})
