import { expect, it } from "vitest"
import { type ChangeTreeNode, changeTree, filesIn } from "./change-tree.ts"

type File = { readonly path: string }

/** One line per node, two blanks per level. */
function drawn(nodes: readonly ChangeTreeNode<File>[], depth = 0): readonly string[] {
  return nodes.flatMap((node) => {
    const line = `${"  ".repeat(depth)}${node.name}${node.kind === "folder" ? "/" : ""}`
    return node.kind === "folder" ? [line, ...drawn(node.inner, depth + 1)] : [line]
  })
}

it.each([
  { name: "a file alone", paths: ["notes.txt"], lines: ["notes.txt"] },
  {
    name: "folders first, each by name",
    paths: ["z.txt", "b/two.txt", "a/one.txt", "b/one.txt"],
    lines: ["a/", "  one.txt", "b/", "  one.txt", "  two.txt", "z.txt"],
  },
  {
    name: "folders that hold one folder are one line",
    paths: ["src/pages/a.ts", "src/pages/b.ts"],
    lines: ["src/pages/", "  a.ts", "  b.ts"],
  },
  { name: "paths from the root", paths: ["/etc/hosts", "/etc/x/y"], lines: ["/etc/", "  x/", "    y", "  hosts"] },
  { name: "the other system's paths", paths: ["C:\\site\\a.txt"], lines: ["C:/site/", "  a.txt"] },
  { name: "the same file twice", paths: ["./a.txt", "a.txt"], lines: ["a.txt", "a.txt"] },
  {
    name: "names that objects have of their own",
    paths: ["__proto__/constructor"],
    lines: ["__proto__/", "  constructor"],
  },
  {
    name: "more folders than a page could show",
    paths: [`${"a/".repeat(20_000)}x`],
    lines: [`${"a/".repeat(39)}`, `  ${"a/".repeat(20_000 - 39)}x`],
  },
  { name: "no name at all", paths: [""], lines: [""] },
])("changeTree: $name", ({ paths, lines }) => {
  const files = paths.map((path) => ({ path }))
  const tree = changeTree(files)
  expect(drawn(tree)).toEqual(lines)
  expect(new Set(filesIn(tree))).toEqual(new Set(files))
})
