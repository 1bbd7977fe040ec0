import type { JsonObject } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { fileChanges } from "./file-change.ts"

describe("which arguments change a file", () => {
  it.each([
    ["write_file", { path: "a", content: "x" }, "write"],
    ["create", { command: "create", path: "a", file_text: "x" }, "write"],
    ["save_note", { filename: "a", text: "x" }, "write"],
    ["append_to_file", { path: "a", content: "x" }, "add"],
    ["edit_file", { path: "a", edits: [{ oldText: "x", newText: "y" }], dryRun: true }, "edit"],
    ["str_replace", { path: "a", old_str: "x", new_str: "" }, "edit"],
    ["MultiEdit", { file_path: "a", edits: [{ old_string: "x", new_string: "y", replace_all: true }] }, "edit"],
    ["apply", { patch: "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n" }, "patch"],
  ] as ReadonlyArray<readonly [string, JsonObject, string]>)("%s %j is a %s", (tool, args, how) => {
    expect(fileChanges(tool, args).map((change) => change.how)).toEqual([how])
  })

  it.each([
    ["search", { path: "a", text: "x" }],
    ["read_file", { path: "a" }],
    ["write_file", { path: "a", content: 7 }],
    ["edit_file", { path: "a", edits: [{ oldText: "x", newText: "y" }, { insert: "z" }] }],
    ["edit_file", { path: "a", edits: [] }],
    ["send", { content: "x" }],
    ["apply", { patch: "please" }],
  ] as ReadonlyArray<readonly [string, JsonObject]>)("%s %j is none", (tool, args) => {
    expect(fileChanges(tool, args)).toEqual([])
  })

  it("takes several files one by one, and names the arguments it shows", () => {
    const files = [
      { path: "a", content: "1" },
      { path: "b", content: "2" },
    ]
    const changes = fileChanges("push_files", { branch: "main", files })
    expect(changes.map(({ path, pointers }) => [path, pointers])).toEqual([
      ["a", ["/files/0/content"]],
      ["b", ["/files/1/content"]],
    ])
    expect(changes.map(({ pathName }) => pathName)).toEqual(["path", "path"])
    expect(fileChanges("push_files", { files: [...files, { path: "c" }] })).toEqual([])
  })
})
