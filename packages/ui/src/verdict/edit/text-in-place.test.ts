import { fileChanges } from "@byleave/api"
import type { JsonObject } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { argumentFields } from "./argument-fields.ts"
import { textInPlace } from "./text-in-place.ts"
import type { ArgumentEdit, EditPlace } from "./use-argument-edit.ts"

const nothing = () => undefined

function editOf(args: JsonObject, place: EditPlace, changes: Partial<ArgumentEdit> = {}): ArgumentEdit {
  return {
    ...{ place, isOpen: place !== "nowhere", fields: argumentFields(args, null), texts: new Map(), isTyped: false },
    ...{ problems: new Map(), changes: [], toSend: null },
    ...{ start: nothing, startInPlace: nothing, showChange: nothing, stop: nothing, change: nothing },
    ...changes,
  }
}

const found = (tool: string, args: JsonObject, place: EditPlace = "nowhere", changes: Partial<ArgumentEdit> = {}) =>
  textInPlace(editOf(args, place, changes), fileChanges(tool, args), false)

const write = { path: "notes.txt", content: "Buy milk.\n" }

describe("a file's new text, edited in the place of its difference", () => {
  it.each([
    { what: "a written file", tool: "write_file", args: write },
    { what: "a text without a line break", tool: "write_file", args: { path: "a", content: "Hello." } },
    { what: "an appended text", tool: "append_file", args: write },
  ])("is offered for $what", ({ tool, args }) => {
    expect(found(tool, args)).toMatchObject({ text: args.content, isOpen: false, isEdited: false })
  })

  it.each([
    {
      what: "edits, which are several texts",
      tool: "edit_file",
      args: { path: "a", edits: [{ oldText: "x", newText: "y" }] },
    },
    { what: "a replacement", tool: "edit_file", args: { path: "a", old_string: "x", new_string: "y" } },
    { what: "a patch", tool: "patch", args: { path: "a", patch: "@@ -1 +1 @@\n-x\n+y\n" } },
    { what: "several files", tool: "write_files", args: { files: [write, { ...write, path: "b" }] } },
    { what: "I2: a text in which something hides", tool: "write_file", args: { path: "a", content: "x\u200by" } },
    {
      what: "I2: line ends that a box would turn into others",
      tool: "write_file",
      args: { path: "a", content: "x\r\n" },
    },
    { what: "a call that changes no file", tool: "read_file", args: { path: "a" } },
  ])("is not offered for $what", ({ tool, args }) => {
    expect(found(tool, args as JsonObject)).toBeNull()
  })

  it("I1: is the text of the one edit, and nowhere while that stands in its fields", () => {
    const texts = new Map([["content", "Buy tea.\n"]])
    expect(found("write_file", write, "in-place", { texts })).toMatchObject({ text: "Buy tea.\n", isOpen: true })
    expect(found("write_file", write, "shown", { texts })).toMatchObject({ isOpen: false, isEdited: true })
    expect(found("write_file", write, "form", { texts })).toBeNull()
    const typed: [string, string | null][] = []
    found("write_file", write, "in-place", { change: (key, text) => typed.push([key, text]) })?.change("Buy")
    expect(typed).toEqual([["content", "Buy"]])
  })

  it("tells what is wrong with it, or with all arguments together", () => {
    const problem = (key: string) =>
      found("write_file", write, "in-place", { problems: new Map([[key, "No."]]) })?.problem
    expect([problem("content"), problem(""), problem("path")]).toEqual(["No.", "No.", null])
  })
})
