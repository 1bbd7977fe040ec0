/** Finds the deepest of some folders that a normalised absolute path lies in; `none` is for a path in none of them. */
export function deepestFolder<T>(byFolder: ReadonlyMap<string, T>, none: T): (path: string) => T {
  const lengths = [...new Set([...byFolder.keys()].map((folder) => folder.length))].sort((a, b) => b - a)
  const outside = byFolder.get("/") ?? none
  return (path) => {
    for (const length of lengths) {
      // A folder can only end where the path has a slash, or ends: that spares most look-ups.
      if (path.length > length ? path.charCodeAt(length) !== slash : path.length !== length) continue
      const found = byFolder.get(path.slice(0, length))
      if (found !== undefined) return found
    }
    return outside
  }
}

const slash = 0x2f
