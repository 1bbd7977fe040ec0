import type { ApprovalView } from "@byleave/api"
import { type JsonValue, looksSecret, showText } from "@byleave/core"
import { runArguments } from "./answers-offered.ts"

const longest = 120

/** A call's arguments on one line, to tell calls apart, already marked where they hide something; says how much it leaves out. Secrets stay masked. */
export function argumentLine(approval: ApprovalView): string {
  const args = runArguments(approval)
  if (args === null) return "arguments no longer kept"
  const secret = new Set(approval.risks.filter((risk) => risk.kind === "secret-like").map((risk) => risk.key))
  const entries = Object.entries(args)
  if (entries.length === 0) return "no arguments"
  const line = entries.map(([key, value]) => `${showText(key)}: ${shown(value, secret, key)}`).join(", ")
  return line.length <= longest ? line : `${line.slice(0, longest)}… (${line.length - longest} more characters)`
}

function shown(value: JsonValue, secret: ReadonlySet<string>, key: string): string {
  const hides = [...secret].some((place) => place === key || place.startsWith(`${key}.`))
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const isSecret = hides || (typeof value === "string" && looksSecret(key, value))
  return isSecret ? `(secret, ${text.length} characters)` : showText(text)
}
