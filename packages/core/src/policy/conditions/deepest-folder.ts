/** Something kept per folder, ready to be looked up by path. Folders are absolute and normalised. */
export type Folders<T> = {
  readonly byFolder: ReadonlyMap<string, T>
  /** How long the folders are, longest first. */
  readonly lengths: readonly number[]
  /** For a path in none of them but the root, if that is one. */
  readonly outside: T
}

export function foldersOf<T>(byFolder: ReadonlyMap<string, T>, none: T): Folders<T> {
  const lengths = [...new Set([...byFolder.keys()].map((folder) => folder.length))].sort((a, b) => b - a)
  return { byFolder, lengths, outside: byFolder.get("/") ?? none }
}

/** The value stored for the deepest folder that contains a normalised absolute path. */
export function deepestFolder<T>({ byFolder, lengths, outside }: Folders<T>, path: string): T {
  for (const length of lengths) {
    // A folder can only end where the path has a slash, or ends: that spares most look-ups.
    if (path.length > length ? path.charCodeAt(length) !== slash : path.length !== length) continue
    const found = byFolder.get(path.slice(0, length))
    if (found !== undefined) return found
  }
  return outside
}

/** The folders that hold this one, nearest first. */
export function foldersAround(folder: string): readonly string[] {
  if (folder === "/") return []
  const around: string[] = []
  for (let end = folder.lastIndexOf("/"); end > 0; end = folder.lastIndexOf("/", end - 1)) {
    around.push(folder.slice(0, end))
  }
  return [...around, "/"]
}

const slash = 0x2f
