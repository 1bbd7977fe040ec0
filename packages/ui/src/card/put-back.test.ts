import type { ApprovalView, UndoView } from "@byleave/api"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { waitingCall } from "../verdict/fixtures/waiting-call.ts"
import { PutBack, UndoShown } from "./put-back.tsx"

const shown = (undo: UndoView) => renderToStaticMarkup(createElement(UndoShown, { undo }))
const tool = { server: "files", tool: "write_file" }
const ready = { kind: "ready", path: "/ws/a", tool, args: {}, now: "new", before: "old", readAt: 1 } as const

describe("putting a file back", () => {
  it("shows the difference, and which call is sent", () => {
    const html = shown(ready)
    expect(html).toContain("files(write_file) is called with the content that was read")
    expect(html).toContain("1 line added")
    expect(html).toContain("1 line removed")
  })

  it("shows what changed since instead, and hides what looks like a secret until it is revealed", () => {
    expect(shown({ kind: "changed", path: "/ws/a", written: "new", now: "by hand" })).toContain(
      "changed since this call",
    )
    const secret = ["sk", "0123456789abcdefghij"].join("-")
    expect(shown({ ...ready, before: secret })).not.toContain(secret)
    expect(shown({ kind: "unavailable", why: "The file is not there any more." })).toContain("not there any more")
  })

  it("is offered of a call that succeeded and whose file was read before, and of no other", () => {
    const hands = { loadUndo: async () => ready, onPutBack: async () => true }
    const drawn = (changes: object) =>
      renderToStaticMarkup(
        createElement(PutBack, { approval: { ...waitingCall(), ...changes } as ApprovalView, hands }),
      )
    expect(drawn({ status: "succeeded", readBefore: 1 })).toContain("Put it back")
    expect(drawn({ status: "succeeded" })).toBe("")
    expect(drawn({ status: "failed", readBefore: 1 })).toBe("")
  })
})
