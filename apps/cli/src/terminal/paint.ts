import { styleText } from "node:util"
import { showText } from "@byleave/core"
import type { AsIs, Io, Output } from "../io.ts"

export type Style = Parameters<typeof styleText>[0]
export type Paint = (style: Style, text: string) => string

/** Colours for a terminal, and none elsewhere or where NO_COLOR asks for none. */
export function createPaint(output: Output, env: Io["env"]): Paint {
  const isColoured = output.isTerminal && !env.get("NO_COLOR") && env.get("TERM") !== "dumb"
  return isColoured ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text
}

/** Text whose words others chose, safe to print: lines stay lines, every other hidden character is marked. */
export function safeLines(text: string): string {
  return text.split("\n").map(showText).join("\n")
}

/** The engine's own sentences, safe to print: it has marked what names hide, and its marks stay as they are. */
export function sentenceLines(text: string): string {
  return text
    .split(/(⟨U\+[0-9A-F]{4,6}⟩)/)
    .map((part, index) => (index % 2 === 1 ? part : safeLines(part)))
    .join("")
}

/** Not for words that others chose, unless they are JSON. */
export function asIs(text: string): AsIs {
  return { asIs: text }
}

/** One JSON value for programs. Characters that could steer a terminal are written as escapes. */
export function jsonLines(value: unknown): AsIs {
  const escaped = escapeHidden(JSON.stringify(value, null, 2))
  return asIs(`${escaped}\n`)
}

/** The same on one line, without its end. */
export function jsonLine(value: unknown): string {
  return escapeHidden(JSON.stringify(value))
}

/** A line of JSON as it came; on a terminal, with escapes that mean the same instead of what could steer it. */
export function jsonFor(output: Pick<Output, "isTerminal">, line: string): string {
  return output.isTerminal ? escapeHidden(line) : line
}

function escapeHidden(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) => (found === "\n" ? found : escapeUnits(found)))
}

function escapeUnits(text: string): string {
  return Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
    "",
  )
}
