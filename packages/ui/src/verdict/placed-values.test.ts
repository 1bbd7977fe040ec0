import { describe, expect, it } from "vitest"

import { waitingCall } from "./fixtures/waiting-call.ts"
import { otherwiseThan, placedArguments } from "./placed-values.ts"

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
      { place: "path", text: "missing" },
    ])
  })
})

describe("placedArguments", () => {
  it("gives each argument whole and by itself, so that none can pass for another", () => {
    const to = `alice, amount: 10${" ".repeat(300)}`
    expect(placedArguments(waitingCall({ args: { to, amount: 99_999 } }))).toEqual([
      { place: "to", text: to },
      { place: "amount", text: "99999" },
    ])
    expect(placedArguments(waitingCall({ args: null }))).toBeNull()
  })
})
