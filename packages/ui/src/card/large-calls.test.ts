/** However much an agent sends in one call, a page draws a part of it at first, and says how much is left. */
import type { JsonObject } from "@byleave/core"
import { createElement, type ReactElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { CallChanges } from "../verdict/edit/call-changes.tsx"
import { waitingCall } from "../verdict/fixtures/waiting-call.ts"
import { textPieces } from "../words/text-pieces.ts"
import { cutText } from "./arguments/cut-text.ts"
import { lineDiff } from "./changes/line-diff.ts"
import { Outcome, ResultBlocks } from "./outcome/outcome.tsx"

const many = <Each>(count: number, each: (at: number) => Each): Each[] =>
  Array.from({ length: count }, (_, at) => each(at))
const drawn = (tool: string, args: JsonObject): ReactElement =>
  createElement(CallChanges, { approval: waitingCall({ tool: { server: "ed", tool }, args }) })

describe("a call larger than a page", () => {
  it.each([
    {
      name: "files",
      tool: "write_files",
      args: { files: many(3_000, (at) => ({ path: `f${at}`, content: "x" })) },
      rest: "100 of 2,980 more files",
    },
    {
      name: "edits",
      tool: "edit_file",
      args: { path: "a", edits: many(3_000, (at) => ({ oldText: `${at}`, newText: "x" })) },
      rest: "200 of 2,950 more edits",
    },
    {
      name: "other arguments",
      tool: "write_file",
      args: { path: "a", content: "x", ...Object.fromEntries(many(3_000, (at) => [`password${at}`, "x"])) },
      rest: "500 of 2,900 more values",
    },
    {
      name: "lines",
      tool: "write_file",
      args: { path: "a", content: "x\n".repeat(3_000) },
      rest: "2,000 of 2,700 more lines",
    },
  ])("shows the first of its $name", ({ tool, args, rest }) => {
    const html = renderToStaticMarkup(drawn(tool, args))
    expect(html).toContain(`Show ${rest}`)
    expect(html.length).toBeLessThan(400_000)
  })

  it("draws few marks of a text that is all hidden characters", () => {
    const html = renderToStaticMarkup(
      drawn("write_file", { path: "a", content: `${"\u200b\u202e".repeat(740)}\n`.repeat(300) }),
    )
    expect(html.split("<mark").length).toBeLessThan(8_000)
    expect(html).toMatch(/Show [\d,]+ more lines/)
  })
})

describe("a result larger than a page", () => {
  const result = { content: many(200_000, (at) => ({ type: "text", text: `t${at}` })) }
  const approval = {
    ...waitingCall({}),
    status: "succeeded",
    startedAt: 1,
    settledAt: 2,
    by: null,
    delivered: true,
    result,
  } as never

  it("is not drawn before somebody opens it", () => {
    const html = renderToStaticMarkup(createElement(Outcome, { approval, actions: {} as never, unseen: null }))
    expect(html).toContain("Result from")
    expect(html.length).toBeLessThan(5_000)
  })

  it("is then drawn step by step", () => {
    const html = renderToStaticMarkup(createElement(ResultBlocks, { value: result, label: "Result" }))
    expect(html).toContain("t19<")
    expect(html).not.toContain("t20<")
    expect(html).toContain("Show 50 of 199,980 more parts")
  })
})

describe("hidden characters", () => {
  it("take the room of many others, so that fewer are shown at first", () => {
    expect(cutText("\u200b".repeat(700), 700, 9).shown.length).toBe(35)
    expect(cutText(`${"a".repeat(600)}${"\u200b".repeat(50)}`, 700, 9)).toEqual({
      shown: `${"a".repeat(600)}${"\u200b".repeat(5)}`,
      hidden: 45,
    })
    expect(cutText("a\tb\n".repeat(100), 700, 900).hidden).toBe(0)
  })

  it("of a text with thousands of them stand in the text", () => {
    expect(textPieces("a\u200b".repeat(3_000))).toEqual([{ kind: "plain", text: "a⟨U+200B⟩".repeat(3_000) }])
    expect(textPieces("a\u200b").map(({ kind }) => kind)).toEqual(["plain", "mark"])
  })
})

describe("a text with more lines than anybody reads", () => {
  it("is compared whole, its rest as one line", () => {
    const text = "\n".repeat(200_000)
    const { lines } = lineDiff("", `${text}end`)
    expect(lines).toHaveLength(50_000)
    expect(lines.at(-1)?.text).toBe(`${"\n".repeat(150_001)}end`)
    expect(lines.map((line) => line.text + (line.isOpen ? "" : "\n")).join("")).toBe(`${text}end`)
  })
})
