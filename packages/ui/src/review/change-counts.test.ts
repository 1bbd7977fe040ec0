import type { CurrentContentView } from "@byleave/api"
import { fileChanges } from "@byleave/api/page"
import { expect, it } from "vitest"
import { changeCounts } from "./change-counts.ts"

const by = { server: "files", tool: "read_text_file" }
const held = { kind: "text", path: "a", text: "a\nb\n", by } as CurrentContentView

it.each([
  {
    name: "a write over a file",
    args: { path: "a", content: "a\nc\nd\n" },
    current: held,
    counts: { added: 2, removed: 1 },
  },
  {
    name: "a new file",
    args: { path: "a", content: "x\ny\n" },
    current: { kind: "absent", path: "a" },
    counts: { added: 2, removed: 0 },
  },
  { name: "a write over a file nobody has read", args: { path: "a", content: "x" }, current: null, counts: null },
  {
    name: "an edit of a file nobody has read",
    args: { path: "a", edits: [{ oldText: "b\n", newText: "c\nd\n" }] },
    current: null,
    counts: { added: 2, removed: 1 },
  },
  {
    name: "a patch",
    args: { path: "a", patch: "@@ -1 +1,2 @@\n-a\n+b\n+c\n" },
    current: null,
    counts: { added: 2, removed: 1 },
  },
])("changeCounts of $name", ({ args, current, counts }) => {
  const [change] = fileChanges("write_file", args)
  if (change === undefined) throw new Error("No change was found.")
  const found = changeCounts(change, current as CurrentContentView | null)
  expect(found === null ? null : { added: found.added, removed: found.removed }).toEqual(counts)
})
