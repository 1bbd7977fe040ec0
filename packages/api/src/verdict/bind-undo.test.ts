import { expect, it } from "vitest"
import { shownUndoText, undoDigest } from "./bind-undo.ts"

const tool = { server: "files", tool: "write_file" }
const undo = { tool, args: { path: "/ws/a", content: "old" }, now: "new" }

it.each([
  { name: "another approval", id: "b", given: undo },
  { name: "another server", id: "a", given: { ...undo, tool: { ...tool, server: "other" } } },
  { name: "another tool", id: "a", given: { ...undo, tool: { ...tool, tool: "append" } } },
  { name: "other arguments", id: "a", given: { ...undo, args: { ...undo.args, content: "else" } } },
  { name: "another content by then", id: "a", given: { ...undo, now: "by hand" } },
])("I1: $name gives another digest", async ({ id, given }) => {
  expect(await undoDigest(id, given)).not.toBe(await undoDigest("a", undo))
})

it("is the same for the same, whatever else comes with it", () => {
  expect(shownUndoText("a", { ...undo, ...{ before: "old", readAt: 1 } })).toBe(shownUndoText("a", undo))
})
