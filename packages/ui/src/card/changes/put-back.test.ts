import type { ApprovalView, UndoView } from "@byleave/api"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { waitingCall } from "../../verdict/fixtures/waiting-call.ts"
import { PutBack, UndoShown, useUndoMasks } from "./put-back.tsx"

type Given = { readonly undo: UndoView; readonly approval: ApprovalView }
const Shown = ({ undo, approval }: Given) =>
  createElement(UndoShown, { undo, approval, masks: useUndoMasks(undo, approval) })
const shown = (undo: UndoView, approval: ApprovalView = waitingCall()) =>
  renderToStaticMarkup(createElement(Shown, { undo, approval })).replaceAll("<wbr/>", "")
const tool = { server: "files", tool: "write_file" }
const args = { path: "/ws/a", content: "old" }
const ready = { kind: "ready", path: "/ws/a", tool, args, now: "new", before: "old", readAt: 1 } as const

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
    const hidden = shown({ ...ready, args: { ...args, content: secret }, before: secret })
    expect(hidden).not.toContain(secret)
    expect(hidden).toContain("seems to hold a secret")
    expect(hidden).toContain("Reveal what is hidden before you put it back")
    expect(shown({ ...ready, args: { ...args, password: "xyz" } })).toContain("Reveal what is hidden before")
    expect(shown(ready)).not.toContain("Reveal what is hidden")
    expect(shown({ kind: "unavailable", why: "The file is not there any more." })).toContain("not there any more")
  })

  it.each([
    ["the file", { path: "/ws/harmless" }],
    ["the text", { before: "harmless" }],
    ["the tool", { tool: { server: "files", tool: "move_file" }, args: { path: "/ws/a", to: "old" } }],
    ["a second file", { args: { files: [args, { path: "/ws/b", content: "b" }] } }],
  ])("shows no undo whose %s is told otherwise than by what is sent", (_, changes) => {
    const html = shown({ ...ready, ...changes } as UndoView)
    expect(html).toContain("nothing can be put back here")
    expect(html).not.toContain("harmless")
  })

  it("shows all that is sent beside the file and its text", () => {
    const html = shown({ ...ready, args: { ...args, run_after: "sh x" } })
    expect(html).toContain("run_after")
    expect(html).toContain("sh x")
  })

  it("tells the file by the names that the tool declares", () => {
    const inputSchema = { properties: { file: { type: "string" }, content: { type: "string" } } }
    const definition = { title: null, description: null, icon: null, annotations: null, inputSchema }
    const decoyed = { ...ready, args: { ...args, file: "/ws/real" } }
    expect(shown(decoyed, waitingCall({ definition }))).toContain("nothing can be put back here")
    expect(shown({ ...decoyed, path: "/ws/real" }, waitingCall({ definition }))).toContain("1 line added")
  })

  it("is offered of a call that succeeded and whose file was read before, and of no other", () => {
    const actions = { loadUndo: async () => ready, onPutBack: async () => true }
    const drawn = (changes: object) =>
      renderToStaticMarkup(
        createElement(PutBack, { approval: { ...waitingCall(), ...changes } as ApprovalView, actions }),
      )
    expect(drawn({ status: "succeeded", readBefore: 1 })).toContain("Put it back")
    expect(drawn({ status: "succeeded" })).toBe("")
    expect(drawn({ status: "failed", readBefore: 1 })).toBe("")
  })
})
