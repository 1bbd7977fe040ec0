import type { CurrentContentView } from "@byleave/api"
import { fileChanges } from "@byleave/api/page"
import type { JsonObject } from "@byleave/core"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { FileChanges } from "./file-changes.tsx"

const secrets = { hidden: new Set<string>(), all: [], reveal: () => undefined }

function drawn(tool: string, args: JsonObject, text: string): string {
  const current: CurrentContentView = { kind: "text", path: "a.sh", text, by: { server: "files", tool: "read_file" } }
  const changes = fileChanges(tool, args)
  const props = { changes, current, notAgain: null, secrets, isPending: true, hasHeading: false }
  return renderToStaticMarkup(createElement(FileChanges, props)).replaceAll(/<[^>]*>/g, "")
}

const steps = Array.from({ length: 9 }, (_, at) => `echo step ${at}`)
const script = [...steps, "cp -r private public", ...steps].join("\n")
const path = "a.sh"
const key = ["AKIA", "IOSFODNN7EXAMPLE"].join("")

describe("I1: the texts of a change are drawn whole, or compared line by line with a file that is drawn", () => {
  it.each([
    {
      name: "of a file that looks secret",
      tool: "write_file",
      args: { path, content: script },
      file: `# ${key}\n`,
    },
    {
      name: "of edits of a file that looks secret",
      tool: "edit_file",
      args: { path, edits: [{ oldText: "build", newText: script }] },
      file: `# ${key}\nbuild\n`,
    },
    { name: "that the file has already", tool: "write_file", args: { path, content: script }, file: script },
    {
      name: "that a tool that is no writer may use otherwise",
      tool: "run_script",
      args: { path, content: `${script}\n# end` },
      file: script,
      isFolded: true,
    },
    {
      name: "of edits that undo each other",
      tool: "edit_file",
      args: {
        path,
        edits: [
          { oldText: "build", newText: script },
          { oldText: script, newText: "build" },
        ],
      },
      file: "build\ntest\n",
    },
    {
      name: "of edits that undo each other beside another one",
      tool: "edit_file",
      args: {
        path,
        edits: [
          { oldText: "build", newText: script },
          { oldText: script, newText: "build" },
          { oldText: "test", newText: "check" },
        ],
      },
      file: "build\ntest\n",
    },
    {
      name: "that only the agent says are in the file",
      tool: "edit_file",
      args: { path, edits: [{ oldText: `main\n${script}\nend`, newText: `main 2\n${script}\nend` }] },
      file: "main\nend\n",
    },
    {
      name: "that only the agent says are in the file, and unchanged",
      tool: "edit_file",
      args: { path, edits: [{ oldText: script, newText: script }] },
      file: "main\nend\n",
    },
  ])("texts $name", ({ tool, args, file, isFolded = false }) => {
    const text = drawn(tool, args, file)
    expect(text).toContain("cp -r private public")
    expect(text).toContain("echo step 4")
    expect(text).not.toContain(key)
    expect(/Show \d+ unchanged lines/.test(text)).toBe(isFolded)
  })

  it("a writer's text that was compared with the file is drawn once, with what is unchanged folded", () => {
    const text = drawn("write_file", { path, content: `${script}\n# end\n` }, `${script}\n`)
    expect(text).toMatch(/Show \d+ unchanged lines/)
    expect(text).not.toContain("cp -r private public")
    expect(text).not.toContain("as sent")
  })

  it("edits that do not touch each other are drawn once, in the file", () => {
    const edits = [
      { oldText: "two", newText: "2" },
      { oldText: "one", newText: "1" },
    ]
    const text = drawn("edit_file", { path, edits }, "one\ntwo\n")
    expect(text).toContain("2 lines added")
    expect(text).not.toContain("as sent")
  })
})
