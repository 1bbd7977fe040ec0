import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { readThreadRecording } from "./read-recording.ts"
import { createRecordedFiles } from "./recorded-files.ts"
import { replayedThread } from "./replayed-thread.ts"

const files = () => createRecordedFiles({ tools: new Map() })
const call = (tool: string, args: Record<string, string>, server = "files") => ({ toolCall: "c", server, tool, args })
const write = call("write_file", { path: "a.md", content: "new" })

it.each([
  { name: "a file that was read", heard: call("read_text_file", { path: "a.md" }), text: "old", before: "old" },
  { name: "a file that was written", heard: call("write_file", { path: "a.md", content: "first" }), before: "first" },
  { name: "a part of a file", heard: call("read_file", { path: "a.md", head: "2" }), before: undefined },
  { name: "another file", heard: call("read_file", { path: "b.md" }), before: undefined },
  { name: "another server's file", heard: call("read_file", { path: "a.md" }, "other"), before: undefined },
  { name: "a folder", heard: call("list_directory", { path: "a.md" }), before: undefined },
])("a call is shown beside $name", ({ heard, text = "said", before }) => {
  const known = files()
  known.heard(heard, text)
  expect(known.before(write)).toEqual(
    before === undefined ? null : expect.objectContaining({ kind: "text", path: "a.md", text: before }),
  )
})

it("a file that was changed in a way the recording does not spell out is not known any more", () => {
  const known = files()
  known.heard(call("read_file", { path: "a.md" }), "old")
  known.heard(call("edit_file", { path: "a.md", old_text: "o", new_text: "i" }), "done")
  expect(known.before(write)).toBeNull()
})

it("the haiku's card has the notes as they were read before", () => {
  const text = readFileSync(new URL("../../../../../recordings/threads/haiku.jsonl", import.meta.url), "utf8")
  const read = readThreadRecording(text)
  if (!read.ok) throw new Error(read.problem)
  const asked = read.thread.steps.findIndex(({ kind }) => kind === "asked") + 1
  const [shown] = replayedThread(read.thread, asked, 0).files.values()
  expect(shown).toMatchObject({ kind: "text", path: "notes.md" })
  expect(shown?.kind === "text" && shown.text).toContain("- call the dentist")
})
