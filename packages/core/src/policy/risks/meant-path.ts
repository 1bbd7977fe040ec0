/** What a path begins with that `..` leads no further up than: `/`, a drive, a share, a `file:` address. */
const rootFirst = /^(file:\/\/[^/]*|[a-z]:|\\\\[^\\]+\\[^\\]+|)([\\/])[\\/]*/i

/** `docs/../.env` reads like a file of docs and is none: what such a path means; null where it stays in the folder that it begins with. By its text alone. */
export function meantElsewhere(path: string): string | null {
  const [root = "", place = "", separator = ""] = rootFirst.exec(path) ?? []
  const parts = path
    .slice(root.length)
    .split(/[\\/]/)
    .filter((part) => part !== "" && part !== ".")
  const up = parts.indexOf("..")
  if (up < 1) return null
  const means: string[] = []
  for (const part of parts) {
    if (part !== "..") means.push(part)
    else if (leadsUpFrom(means)) means.pop()
    else if (root === "") means.push("..")
  }
  const begins = parts.slice(0, up)
  if (begins.every((part, at) => means[at] === part) && means[up] !== "..") return null
  return root === "" ? means.join("/") || "." : place + separator + means.join(separator)
}

/** Nobody knows by the text what is above `..`, or above `~`. */
function leadsUpFrom(parts: readonly string[]): boolean {
  const last = parts.at(-1) ?? ".."
  return last !== ".." && !(parts.length === 1 && last.startsWith("~"))
}
