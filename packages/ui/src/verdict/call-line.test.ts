import { describe, expect, it } from "vitest"
import { argumentLine, otherwiseThan } from "./call-line.ts"
import { waitingCall } from "./fixtures/waiting-call.ts"

const answered = waitingCall({ args: { path: "/home/me/notes/2026/november/first.md", content: "hello" } })

describe("otherwiseThan", () => {
  it("tells what stands there otherwise, from where it differs", () => {
    const path = "/home/me/notes/2026/november/\u202esecond.md"
    const other = waitingCall({ id: "b", args: { path, content: "hello" } })
    const text = "…notes/2026/november/\u202esecond.md"
    expect(otherwiseThan(answered, other)).toEqual([{ place: "path", text }])
  })

  it("is empty for the same arguments, and nothing for another tool", () => {
    expect(otherwiseThan(answered, waitingCall({ id: "b", args: answered.args }))).toEqual([])
    expect(otherwiseThan(answered, waitingCall({ tool: { server: "files", tool: "move_file" } }))).toBeNull()
  })

  it("keeps secrets masked, and says what is missing", () => {
    const risks = [{ kind: "secret-like", key: "content", sentence: "" }] as const
    const other = waitingCall({ args: { content: "hunter2 hunter2" }, risks })
    expect(otherwiseThan(answered, other)).toEqual([
      { place: "content", text: "(secret, 15 characters)" },
      { place: "path", text: "not there" },
    ])
  })
})

describe("argumentLine", () => {
  it("says how much it leaves out, and cuts no character in half", () => {
    const line = argumentLine(waitingCall({ args: { text: `${"x".repeat(113)}😀 end` } }))
    expect(line).toBe(`text: ${"x".repeat(113)}… (6 more characters)`)
  })
})
