import type { ApprovalView } from "@byleave/api"
import { type JsonValue, showText, toolName } from "@byleave/core"
import { type Paint, safeLines, sentenceLines } from "../paint.ts"
import { ago, inWords } from "./time-words.ts"
import { goesOn, wrapLine } from "./wrap-line.ts"

/** Narrower than any terminal people use. */
const widest = 78

export type CallLinesOptions = {
  readonly short: string
  readonly now: number
  readonly paint: Paint
  /** How much of one value is shown; what is left out is said. */
  readonly most: number
}

/** A waiting call as a person decides on it: what, by whom, why, and every argument. */
export function callLines(view: ApprovalView, { short, now, paint, most }: CallLinesOptions): string {
  const { tool, principal, session, why, kind } = view
  const name = kind === "tool" ? toolName(tool) : `${tool.server}(${kind}:${tool.tool})`
  const until = view.status === "pending" && view.expiresAt !== null ? `, expires ${inWords(view.expiresAt - now)}` : ""
  const lines = [
    `${paint("cyan", short)}  ${paint("bold", showText(name))}  ${accessWords(view, paint)}`,
    `  asked by   ${showText(principal.id)}${session.named ? `, session ${showText(session.id)}` : ""}, ${ago(now - view.createdAt)}${until}`,
    `  why        ${sentenceLines(why)}`,
    ...(view.status === "pending" && !view.callerWaits
      ? ["  caller     does not wait any more: it gets the result when it repeats the call"]
      : []),
    ...needLines(view),
    ...view.risks.map(({ sentence }) => `  ${paint("red", "look")}       ${sentenceLines(sentence)}`),
    ...pinLines(view, paint),
    ...argumentLines(view, paint, most, short),
  ]
  return `${lines.flatMap((line) => wrapLine(line, widest)).join("\n")}\n`
}

const readWords = {
  classify: "reads",
  annotation: "its server says it only reads",
  name: "its name suggests it only reads",
  default: "was taken to only read",
} as const satisfies Record<NonNullable<ApprovalView["accessFrom"]>, string>

/** What only a name or a server says is told as such. */
function accessWords({ access, accessFrom }: ApprovalView, paint: Paint): string {
  if (access === "write") return paint("yellow", "writes")
  return readWords[accessFrom ?? "default"]
}

function needLines({ needs, votes }: ApprovalView): string[] {
  if (needs.approvals <= 1 && needs.groups.length === 0) return []
  const from = needs.groups.length === 0 ? "" : ` from ${needs.groups.map(showText).join(" or ")}`
  const given = votes.filter(({ kind }) => kind === "approve").map(({ reviewer }) => showText(reviewer))
  const so = given.length === 0 ? "" : `; so far ${given.join(", ")}`
  return [`  needs      ${needs.approvals} approvals${from}${so}`]
}

function pinLines({ pin }: ApprovalView, paint: Paint): string[] {
  if (pin === "changed")
    return [`  ${paint("red", "look")}       The server has changed what it says of this tool since it was accepted.`]
  if (pin === "new") return [`  ${paint("red", "look")}       This tool appeared after its server was accepted.`]
  return []
}

function argumentLines(view: ApprovalView, paint: Paint, most: number, short: string): string[] {
  const args = view.editedArgs ?? view.args
  if (args === null) return ["  arguments  no longer kept"]
  const entries = Object.entries(args)
  if (entries.length === 0) return ["  arguments  none"]
  const head = view.editedArgs === null ? "  arguments" : "  arguments, as a reviewer changed them"
  return [head, ...entries.flatMap(([key, value]) => valueLines(key, value, paint, most, short))]
}

function valueLines(key: string, value: JsonValue, paint: Paint, most: number, short: string): string[] {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2)
  const shown = text.length <= most ? text : text.slice(0, most)
  const rest = text.length - shown.length
  const [first = "", ...more] = safeLines(shown).split("\n")
  return [
    `    ${paint("green", showText(key))}: ${first}`,
    ...more.map((line) => `${goesOn}${line}`),
    ...(rest > 0
      ? [`      ${paint("yellow", `… and ${rest} characters more; byleave pending ${short} shows all`)}`]
      : []),
  ]
}
