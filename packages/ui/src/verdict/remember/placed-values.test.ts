import type { JsonValue } from "@byleave/core"
import { describe, expect, it } from "vitest"

import { waitingCall } from "../fixtures/waiting-call.ts"
import { otherwiseThan } from "./placed-values.ts"

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

  it("tells a text from another kind of value that reads the same, and from what is missing", () => {
    const call = (isKept: JsonValue, note: JsonValue) => waitingCall({ args: { path: "a", isKept, note } })
    expect(otherwiseThan(call(true, "x"), call("false", "missing"))).toEqual([
      { place: "isKept", text: '"false"' },
      { place: "note", text: '"missing"' },
    ])
    expect(otherwiseThan(call(true, "x"), call(false, "y"))).toEqual([
      { place: "isKept", text: "false" },
      { place: "note", text: "y" },
    ])
  })

  it("tells what else is sent, and what is not sent, as well", () => {
    const other = waitingCall({
      id: "b",
      args: answered.args,
      extraParams: { _meta: { "example.com/sudo": "yes" } },
      droppedParams: ["Arguments"],
    })
    expect(otherwiseThan(answered, other)).toEqual([
      { place: "also sent: _meta", text: '{"example.com/sudo":"yes"}' },
      { place: "not sent", text: '["Arguments"]' },
    ])
  })
})
