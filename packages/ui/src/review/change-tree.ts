/** Changed files as a tree of folders. Names come from agents: they are compared, and never index an object. */
export type TreeFile<File> = { readonly kind: "file"; readonly name: string; readonly file: File }
export type TreeFolder<File> = {
  readonly kind: "folder"
  readonly name: string
  /** Of the whole way to it: its name among all others. */
  readonly path: string
  readonly inner: readonly ChangeTreeNode<File>[]
}
export type ChangeTreeNode<File> = TreeFile<File> | TreeFolder<File>

type Placed<File> = { readonly parts: readonly string[]; readonly file: File }

/** Folders before files, each by name; a folder that holds nothing but another is one with it: `src/pages`. */
export function changeTree<File extends { readonly path: string }>(
  files: readonly File[],
): readonly ChangeTreeNode<File>[] {
  return nodesOf(
    files.map((file) => ({ parts: partsOf(file.path), file })),
    "",
  )
}

/** A path that begins at the root, or at a drive, stands under that. */
function partsOf(path: string): readonly string[] {
  if (path === "") return [path]
  const parts = path.split(/[\\/]+/).filter((part, at) => part !== "." || at > 0)
  const [first, ...rest] = parts
  const named = (first === "" ? ["/", ...rest] : parts).filter((part) => part !== "")
  if (named.length <= deepest) return named
  return [...named.slice(0, deepest - 1), named.slice(deepest - 1).join("/")]
}

/** Agents choose the paths: deeper than this, the rest of one is a name by itself. */
const deepest = 40

function nodesOf<File>(placed: readonly Placed<File>[], above: string): readonly ChangeTreeNode<File>[] {
  const files = placed.filter(({ parts }) => parts.length <= 1)
  const folders = Map.groupBy(
    placed.filter(({ parts }) => parts.length > 1),
    ({ parts }) => parts[0] ?? "",
  )
  return [
    ...[...folders]
      .toSorted(([one], [other]) => byName(one, other))
      .map(([name, inside]) => folderOf(name, inside, above)),
    ...files
      .map(({ parts, file }): TreeFile<File> => ({ kind: "file", name: parts[0] ?? "", file }))
      .toSorted((one, other) => byName(one.name, other.name)),
  ]
}

function folderOf<File>(name: string, inside: readonly Placed<File>[], above: string): TreeFolder<File> {
  const path = joined(above, name)
  const inner = nodesOf(
    inside.map(({ parts, file }) => ({ parts: parts.slice(1), file })),
    path,
  )
  const [only] = inner
  if (inner.length === 1 && only?.kind === "folder") return { ...only, name: joined(name, only.name) }
  return { kind: "folder", name, path, inner }
}

function joined(one: string, other: string): string {
  return one === "" || one.endsWith("/") ? `${one}${other}` : `${one}/${other}`
}

function byName(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** The files in the order of the tree. */
export function filesIn<File>(nodes: readonly ChangeTreeNode<File>[]): readonly File[] {
  return nodes.flatMap((node) => (node.kind === "file" ? [node.file] : filesIn(node.inner)))
}
