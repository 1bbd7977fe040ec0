/** The key that stands for all arguments, in conditions on what looks sensitive and on which of them are given. */
export const anyArgument = "*"

/** The names in a dotted key: `a.b` is `b` in `a`; `a\.b` is a name with a dot, `\\` a backslash. */
export function keySegments(key: string): readonly string[] {
  const segments: string[] = []
  let segment = ""
  for (let at = 0; at < key.length; at += 1) {
    const next = key[at + 1]
    if (key[at] === ".") {
      segments.push(segment)
      segment = ""
      continue
    }
    if (key[at] === "\\" && (next === "." || next === "\\")) at += 1
    segment += key[at]
  }
  segments.push(segment)
  return segments
}

/** The dotted key of these names. */
export function keyOf(segments: readonly string[]): string {
  return segments.map((segment) => segment.replace(/[\\.]/g, "\\$&")).join(".")
}
