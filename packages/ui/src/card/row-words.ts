import type { ApprovalView } from "@byleave/api"
import { type JsonObject, type JsonValue, looksSecret } from "@byleave/core"
import { kindOf, shownScalar } from "./arg-tree.ts"
import { hiddenWords } from "./cut-text.ts"

/** One argument of a call, in a line. */
export type ToldArgument = { readonly name: string; readonly text: string; readonly isSecret: boolean }

const telling = [
  "command",
  "path",
  "file_path",
  "url",
  "uri",
  "query",
  "sql",
  "title",
  "name",
  "to",
  "subject",
  "message",
]
/** A row shows less; what is longer costs time for nothing. */
const longest = 200
const mostTold = 4

/**
 * What a call is about, in a line: the arguments that say most come first, then others as they were sent, so that calls of one tool can be told apart. Secrets stay masked: a list is no
 * place to reveal them.
 */
export function toldArguments(approval: ApprovalView): readonly ToldArgument[] {
  const args = approval.editedArgs ?? approval.args
  if (args === null) return []
  const names = Object.keys(args).sort((a, b) => rankOf(a, args[a]) - rankOf(b, args[b]))
  return names.slice(0, mostTold).map((name) => asLine(name, args))
}

/** Sorting keeps the order of what ranks the same. */
function rankOf(name: string, value: JsonValue | undefined): number {
  if (!isTelling(value)) return telling.length + 1
  const at = telling.indexOf(name)
  return at < 0 ? telling.length : at
}

function isTelling(value: JsonValue | undefined): boolean {
  if (value === undefined || value === "") return false
  return ["text", "number"].includes(kindOf(value))
}

function asLine(name: string, args: JsonObject): ToldArgument {
  const value = args[name] as JsonValue
  const kind = kindOf(value)
  if (kind === "list") return { name, text: `a list of ${(value as readonly JsonValue[]).length}`, isSecret: false }
  if (kind === "object")
    return { name, text: `an object of ${Object.keys(value as JsonObject).length}`, isSecret: false }
  const text = shownScalar(value)
  if (looksSecret(name, text)) return { name, text: hiddenWords(text.length), isSecret: true }
  return { name, text: text.slice(0, longest).replaceAll(/[\n\t]+/g, " "), isSecret: false }
}

export type Urgency = "none" | "soon" | "now" | "over"

const soon = 10 * 60_000
const now = 60_000

/** How near the end of a wait is. */
export function urgencyOf(expiresAt: number | null, time: number): Urgency {
  if (expiresAt === null) return "none"
  const left = expiresAt - time
  if (left <= 0) return "over"
  return left <= now ? "now" : left <= soon ? "soon" : "none"
}
