import { wordPieces } from "../../word-pieces.ts"
import type { SchemaValue } from "./schema-help.ts"

/** Draws a sentence: parts between backticks are to be typed exactly so, and look it. */
export function drawnWords(words: string): HTMLElement {
  const line = document.createElement("p")
  line.append(...wordPieces(words).map(({ text, exact }) => (exact ? drawnCode(text) : text)))
  return line
}

/** Draws the values that can be written, in a line such as `One of full, schema, off`; null where there are none. */
export function drawnValues(values: readonly SchemaValue[]): HTMLElement | null {
  const own = values.filter(({ isExample }) => !isExample)
  const shown = own.length > 0 ? own : values
  if (shown.length === 0) return null
  const line = document.createElement("p")
  line.className = "help-values"
  line.append(own.length === 0 ? "For example " : own.length === 1 ? "Can be " : "One of ")
  shown.forEach(({ text }, at) => {
    line.append(at === 0 ? "" : ", ", drawnCode(text))
  })
  return line
}

export function drawnCode(text: string): HTMLElement {
  const code = document.createElement("code")
  code.textContent = text
  return code
}
