import type { JsonObject } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { fileChanges, shownPointers } from "./file-change.ts"

describe("which arguments change a file", () => {
  it.each([
    ["write_file", { path: "a", content: "x" }, "write"],
    ["create", { command: "create", path: "a", file_text: "x" }, "write"],
    ["save_note", { filename: "a", text: "x" }, "write"],
    ["append_to_file", { path: "a", content: "x" }, "add"],
    ["add_lines", { path: "a", content: "x" }, "add"],
    ["addToFile", { path: "a", content: "x" }, "add"],
    ["write_file", { path: "a", content: "x", mode: "append" }, "add"],
    ["write_file", { path: "a", content: "x", append: true }, "add"],
    ["write_file", { path: "a", content: "x", mode: "0644", encoding: "utf-8", overwrite: true }, "write"],
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
    ["edit_file", { path: "a", edits: [{ oldText: "x", newText: "y", uri: "file:///b" }] }],
    ["edit_file", { path: "a", edits: [{ oldText: "x", newText: "y", path: "b", file: "c" }] }],
    ["edit_file", { path: "a", edits: [{ oldText: "x", newText: "y", in: { path: "b" } }] }],
    [
      "edit_file",
      {
        edits: [
          { oldText: "x", newText: "y", path: "b" },
          { oldText: "x", newText: "y" },
        ],
      },
    ],
    ["write_file", { path: "a", content: "eA==", encoding: "base64" }],
    ["write_file", { path: "a", content: "x", mode: "patch" }],
    ["write_files", { encoding: "base64", files: [{ path: "a", content: "eA==" }] }],
    ["send", { content: "x" }],
    ["apply", { patch: "please" }],
  ] as ReadonlyArray<readonly [string, JsonObject]>)("%s %j is none", (tool, args) => {
    expect(fileChanges(tool, args)).toEqual([])
  })

  it.each([
    ["write_file", { path: "a", content: "x", is_base64: true }, "is_base64"],
    ["write_file", { path: "a", content: "x", options: [{ regex: true }] }, "regex"],
    ["edit_file", { path: "a", edits: [{ oldText: "x", newText: "y", ignoreCase: true }] }, "ignoreCase"],
    ["str_replace", { path: "a", old_str: "x", new_str: "y", append: true }, "append"],
    ["write_file", { path: "a", content: "x", append: true, createDirs: true, dry_run: true }, undefined],
    ["str_replace", { path: "a", old_str: "x", new_str: "y", replace_all: true, regex: false }, undefined],
  ] as ReadonlyArray<readonly [string, JsonObject, string | undefined]>)(
    "I3: %s %j has the flag %s",
    (tool, args, flag) => {
      expect(fileChanges(tool, args).map((change) => change.flag)).toEqual([flag])
    },
  )

  it.each([
    ["write_file", true],
    ["MultiEdit", true],
    ["create_or_update_file", true],
    ["run_script", false],
    ["compute", false],
  ])("tells whether the name %s says that it writes", (tool, isNamedWriter) => {
    expect(fileChanges(tool, { path: "a", content: "x" })).toMatchObject([{ isNamedWriter }])
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
    expect(changes.map(({ pathPointer }) => pathPointer)).toEqual(["/files/0/path", "/files/1/path"])
    expect(fileChanges("push_files", { files: [...files, { path: "c" }] })).toEqual([])
  })

  it.each(["edits", "replacements", "changes"])("takes each of the %s for the file that it names itself", (list) => {
    const edit = { oldText: "x", newText: "y" }
    const args = { path: "a", [list]: [edit, { ...edit, path: "b" }, { ...edit, newText: "z", description: "tidy" }] }
    expect(fileChanges("edit_files", args)).toMatchObject([
      { path: "a", pathPointer: "/path", edits: [{ after: "y" }, { after: "z" }] },
      {
        path: "b",
        pathPointer: `/${list}/1/path`,
        edits: [{ after: "y" }],
        pointers: [`/${list}/1/oldText`, `/${list}/1/newText`],
      },
    ])
    expect(fileChanges("edit_files", { [list]: [{ ...edit, path: "b" }] })).toMatchObject([{ path: "b" }])
  })

  it("takes each file's own name, never another argument of that name", () => {
    const args = { path: "/etc", files: [{ path: "hosts", content: "1", run_after: "sh" }] }
    expect([...shownPointers(fileChanges("write_files", args))]).toEqual(["/files/0/content", "/files/0/path"])
  })
})

describe("names that a tool's schema declares", () => {
  const text = { type: "string" }
  const edit = { type: "object", properties: { old_str: text, new_str: text } }
  const both = { oldText: "teh", newText: "the", old_str: "ALLOW=0", new_str: "ALLOW=1" }
  const args = { path: "a", edits: [both] }
  const path = { path: text }

  it.each([
    ["inline", { type: "object", properties: { ...path, edits: { type: "array", items: edit } } }],
    ["by reference", { properties: { ...path, edits: { items: { $ref: "#/$defs/Edit" } } }, $defs: { Edit: edit } }],
    ["as a choice", { properties: { ...path, edits: { anyOf: [{ type: "null" }, { items: edit }] } } }],
  ] as ReadonlyArray<readonly [string, JsonObject]>)("count alone, declared %s", (_, schema) => {
    expect(fileChanges("edit_file", args, schema)).toMatchObject([
      { edits: [{ before: "ALLOW=0", after: "ALLOW=1" }], pointers: ["/edits/0/old_str", "/edits/0/new_str"] },
    ])
    expect(fileChanges("edit_file", { path: "a", edits: [{ oldText: "teh", newText: "the" }] }, schema)).toEqual([])
  })

  it("count alone for the file, its text, and whether all is replaced", () => {
    const schema = { properties: { file: text, text, old_str: text, new_str: text } }
    const decoys = { path: "/tmp/decoy", content: "decoy", file: "real", text: "real" }
    expect(fileChanges("write", decoys, schema)).toMatchObject([{ path: "real", edits: [{ after: "real" }] }])
    const replaced = { file: "a", old_str: "x", new_str: "y", replace_all: true }
    expect(fileChanges("edit", replaced, schema)).toMatchObject([{ edits: [{ everywhere: false }] }])
    expect(fileChanges("write", { path: "a", content: "b" }, schema)).toEqual([])
  })

  it("do not count for how a text is written where they are not declared", () => {
    const schema = { properties: { path: text, content: text } }
    expect(fileChanges("write", { path: "a", content: "b", mode: "append" }, schema)).toEqual([])
  })

  it("leave out no name that an edit carries besides", () => {
    const schema = { properties: { ...path, edits: { type: "array", items: edit } } }
    expect(fileChanges("edit_file", { path: "a", edits: [{ old_str: "x", new_str: "y", path: "b" }] }, schema)).toEqual(
      [],
    )
  })

  it.each([
    [null],
    [{ type: "object" }],
    [{ properties: {} }],
    [{ properties: { ...path, edits: { items: { $ref: "#/$defs/A" } } }, $defs: { A: { $ref: "#/$defs/A" } } }],
    [{ properties: { ...path, edits: { items: { $ref: "https://example.com/edit.json" } } } }],
  ] as ReadonlyArray<readonly [JsonObject | null]>)("any names count where it declares none: %j", (schema) => {
    expect(fileChanges("edit_file", args, schema)).toMatchObject([
      { pointers: ["/edits/0/oldText", "/edits/0/newText"] },
    ])
  })
})
