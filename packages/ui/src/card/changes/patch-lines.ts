import type { DiffLine } from "./line-diff.ts"

/** A patch as it was sent, each line by its own sign. Its line numbers are its own claim and are not repeated. */
export function patchLines(patch: string): readonly DiffLine[] {
  const lines = patch.split("\n")
  if (lines.at(-1) === "") lines.pop()
  return lines.map((text, at) => {
    const isHeader =
      (text.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ") === true) ||
      (text.startsWith("+++ ") && lines[at - 1]?.startsWith("--- ") === true)
    const kind = isHeader ? "same" : text.startsWith("+") ? "added" : text.startsWith("-") ? "removed" : "same"
    return {
      kind,
      before: at + 1,
      after: at + 1,
      text: kind === "same" ? text : text.slice(1),
      isOpen: false,
      changed: null,
    }
  })
}
