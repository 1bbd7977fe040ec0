import type { Insertion } from "./file-syntax.ts"
import type { TextRange } from "./placed-tree.ts"

/** Adds texts to what stands in brackets, in the style of what is there: on lines of their own, or on one line. */
export function addInBrackets(
  text: string,
  brackets: TextRange,
  members: readonly TextRange[],
  added: readonly string[],
  where: "first" | "last",
): Insertion {
  const [first] = members
  const last = members.at(-1)
  if (first === undefined || last === undefined) {
    const isTight = text.slice(brackets.start, brackets.end) === "[]"
    return { at: brackets.start + 1, text: isTight ? added.join(", ") : ` ${added.join(", ")} ` }
  }
  const between = gapBefore(text, brackets.start + 1, first.start)
  if (where === "first") return { at: first.start, text: `${added.join(", ")},${between}` }
  // A comment beside the last member stays beside it.
  if (/^[ \t]*,?[ \t]*(\/\/|\/\*|#)/.test(text.slice(last.end, last.end + 200))) {
    return { at: last.start, text: added.map((each) => `${each},${between}`).join("") }
  }
  return { at: last.end, text: added.map((each) => `,${between}${each}`).join("") }
}

/** The line break and indentation before a member that begins its line; else a space. */
function gapBefore(text: string, from: number, to: number): string {
  const newline = text.lastIndexOf("\n", to - 1)
  if (newline < from || text.slice(newline, to).trim() !== "") return " "
  return text.slice(text[newline - 1] === "\r" ? newline - 1 : newline, to)
}
