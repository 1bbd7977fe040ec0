import type { ApprovalView } from "@byleave/api"
import { createElement, type ReactElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { PastChanges } from "../card/changes/past-changes.tsx"
import { AlsoWaitingRow } from "./batch/also-waiting-row.tsx"
import { CallChanges } from "./edit/call-changes.tsx"
import { waitingCall } from "./fixtures/waiting-call.ts"

const edit = { oldText: "teh", newText: "the", old_str: "ALLOW_ROOT=0", new_str: "ALLOW_ROOT=1" }
const hosts = { path: "hosts", content: "127.0.0.1 localhost", run_after: "sh HIDDEN-RUN" }

const calls = [
  {
    name: "within an edit, beside the texts of the difference",
    call: { tool: { server: "editor", tool: "edit_file" }, args: { path: "README.md", edits: [edit] } },
    shows: ["edits → 1 → old_str", "ALLOW_ROOT=1"],
  },
  {
    name: "of the name that the path of a file has within another",
    call: { tool: { server: "editor", tool: "write_files" }, args: { path: "/etc/HIDDEN-BASE", files: [hosts] } },
    shows: ["/etc/HIDDEN-BASE", "files → 1 → run_after", "HIDDEN-RUN"],
  },
] as const

const beside = {
  name: "sent with the arguments, or dropped",
  call: { extraParams: { _meta: { "example.com/sudo": "HIDDEN-META" } }, droppedParams: ["Arguments"] },
  shows: ["Also sent", "_meta", "example.com/sudo", "HIDDEN-META", "&quot;Arguments&quot;, which is not part of MCP"],
} as const

const textOf = (element: ReactElement) => renderToStaticMarkup(element).replaceAll(/<[^>]*>/g, "")
const callWith = (changes: object) => waitingCall(changes as Partial<ReturnType<typeof waitingCall>>)

describe("what a difference does not show", () => {
  it.each([...calls, beside])("stands beside it where several calls are allowed: values $name", ({ call, shows }) => {
    const text = textOf(createElement(CallChanges, { approval: callWith(call) }))
    for (const each of shows) expect(text).toContain(each)
  })

  it.each([...calls, beside])("stands among calls that are answered along: values $name", ({ call, shows }) => {
    const answered: ApprovalView = waitingCall({ tool: { server: "editor", tool: "another" } })
    const also = { approval: callWith({ id: "b", ...call }), whyNot: null, atFirst: false }
    const row = createElement(AlsoWaitingRow, { also, answered, isChosen: false, onChoose: () => undefined })
    const text = textOf(row)
    for (const each of shows) expect(text).toContain(each.split(" → ").at(-1))
  })

  it("is told from another kind of value that reads the same", () => {
    const args = { path: "a", content: "x", a: "false", b: false, c: "12", d: ["x"], e: '["x"]' }
    const text = textOf(
      createElement(CallChanges, { approval: callWith({ tool: { server: "e", tool: "write_file" }, args }) }),
    )
    for (const each of [
      "a&quot;false&quot;",
      "bfalse",
      "c&quot;12&quot;",
      "d[&quot;x&quot;]",
      "e&quot;[&quot;x&quot;]&quot;",
    ])
      expect(text).toContain(each)
  })

  it.each([
    { name: "where several calls are allowed", call: { args: { "1000": "DELETE" } }, place: "&quot;1000&quot;" },
    {
      name: "among calls that are answered along",
      call: { args: { updates: { "1000": "DELETE" } } },
      place: "updates → &quot;1000&quot;",
    },
  ])("stands under its own name, also where that is a number, $name", ({ call, place }) => {
    const approval = callWith({ id: "b", ...call })
    const also = { approval, whyNot: null, atFirst: false }
    const answered = waitingCall({ args: { updates: { "999": "paid" } } })
    const row = createElement(AlsoWaitingRow, { also, answered, isChosen: false, onChoose: () => undefined })
    expect(textOf(row)).toContain(place)
    expect(textOf(row)).not.toContain("1001")
    expect(textOf(createElement(CallChanges, { approval }))).not.toContain("1001")
  })

  it.each(calls)("stands in the history: values $name", ({ call, shows }) => {
    const { tool, args } = call
    const text = textOf(createElement(PastChanges, { tool: tool.tool, args, isPending: false }))
    for (const each of shows) expect(text).toContain(each.split(" → ").at(-1))
  })

  it("hides no order of a patch among lines that are said to be unchanged", () => {
    const lines = Array.from({ length: 9 }, () => " line")
    const patch = [
      "*** Update File: a",
      "@@",
      "-b",
      "+c",
      ...lines,
      "*** Delete File: auth.ts",
      ...lines,
      "-d",
      "+++ e",
    ].join("\n")
    const call = callWith({ tool: { server: "editor", tool: "apply_patch" }, args: { patch } })
    const text = textOf(createElement(CallChanges, { approval: call }))
    expect(text).toContain("*** Delete File: auth.ts")
    expect(text).not.toContain("unchanged")
    expect(text).toContain("added: ++ e")
  })

  it("masks a secret by itself, with the way to see it", () => {
    const secret = ["sk", "0123456789abcdefghij"].join("-")
    const args = { path: "a", edits: [{ ...edit, password: secret, old_str: "SEEN" }] }
    const call = callWith({ args, tool: { server: "editor", tool: "edit_file" } })
    const text = textOf(createElement(CallChanges, { approval: call }))
    expect(text).not.toContain(secret)
    expect(text).toContain("Reveal")
    expect(text).toContain("SEEN")
  })

  it("is by the tool's own schema where that is known", () => {
    const string = { type: "string" }
    const items = { properties: { old_str: string, new_str: string } }
    const inputSchema = { properties: { path: string, edits: { items } } }
    const definition = { title: null, description: null, icon: null, annotations: null, inputSchema }
    const text = textOf(createElement(CallChanges, { approval: callWith({ ...calls[0].call, definition }) }))
    expect(text).toContain("edits → 1 → oldText")
    expect(text).not.toContain("edits → 1 → old_str")
  })
})
