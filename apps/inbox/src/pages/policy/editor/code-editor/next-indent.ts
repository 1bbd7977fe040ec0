import { indentService } from "@codemirror/language"
import type { Extension } from "@codemirror/state"

/** Returns the column at which people go on below a line: deeper after `key:` or an opening bracket, else beside its key. */
export function indentAfter(line: string): number {
  const spaces = line.length - line.trimStart().length
  const keyed = /^(\s*(?:-\s+)*)[^\s#'"[{-][^#]*?:(\s|$)/.exec(line)
  const column = keyed?.[1]?.length ?? spaces
  const words = line.replace(/\s#.*$/, "").trimEnd()
  return /(?::|[|>][-+]?|[[{])$/.test(words) ? column + 2 : column
}

/** A new line begins where `indentAfter` says. */
export const nextIndent: Extension = indentService.of((context, pos) => indentAfter(context.lineAt(pos, -1).text))
