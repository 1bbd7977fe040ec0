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

  it.each([
    {
      name: "fits several places",
      edit: { oldText: "  approval: required", newText: "  approval: none" },
      file: "a:\n  approval: required\nb:\n    approval: required\n",
      says: "fits more than one place",
    },
    {
      name: "fits another place where line ends are read otherwise",
      edit: { oldText: "production:\r\n  approval: required", newText: "production:\r\n  approval: none" },
      file: "production:\n  approval: required\nsandbox:\n  # as in production:\r\n  approval: required\r\n",
      says: /depends on how the server reads\s+them|fits more than one place/,
    },
    {
      name: "has dollar signs that some servers read as something else",
      edit: { oldText: "a: required", newText: "approval: none # $& $$" },
      file: "a: required\nsandbox\n",
      says: /some servers read/,
    },
  ])("an edit that $name is drawn as sent, and not in the file", ({ edit, file, says }) => {
    const text = drawn("edit_file", { path, edits: [edit] }, file)
    expect(text).toMatch(says)
    expect(text).toContain("approval: none")
    expect(text).not.toContain("Compared with the file")
    expect(text).not.toContain("sandbox")
    expect(/may change line ends in the whole file/.test(text)).toBe(file.includes("\r"))
  })

  it.each([
    { tool: "replace_in_file", args: { search: ".*", replace: "allow from all", regex: true } },
    { tool: "edit_file", args: { edits: [{ oldText: "b", newText: "allow from all", ignore_case: true }] } },
    { tool: "write_file", args: { content: "allow from all", options: { is_base64: true } } },
  ])("I3: what $tool sends beside a yes that nobody knows is drawn as sent, and says why", ({ tool, args }) => {
    const text = drawn(tool, { path, ...args } as JsonObject, "a\nb .*\n")
    expect(text).toMatch(/The call says yes to “(?:regex|ignore_case|is_base64)”/)
    expect(text).toContain("allow from all")
    expect(text).not.toContain("Compared with the file")
  })

  it("edits that leave the text as it is are not said to change nothing", () => {
    const text = drawn("edit_file", { path, edits: [{ oldText: "one", newText: "one" }] }, "one\r\ntwo\r\n")
    expect(text).toContain("may still write the file anew")
    expect(text).toContain("Windows line ends")
    expect(text).not.toContain("No changes")
  })
})
