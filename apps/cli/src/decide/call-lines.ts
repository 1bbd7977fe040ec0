import {
  type ApprovalSummaryView,
  type ApprovalView,
  type SessionView,
  shortSessionName,
  shownArguments,
  shownExtraParams,
} from "@byleave/api"
import {
  isOneWord,
  isRunPrincipal,
  type JsonValue,
  quoted,
  showText,
  starterWords,
  textAmongValues,
  toolName,
} from "@byleave/core"
import { type Paint, sentenceLines } from "../terminal/paint.ts"
import { type Reveal, shownValue } from "./masks.ts"
import { folderLines, nameAmongWords, presenceWords, wrapped } from "./session-lines.ts"
import { ago, inWords } from "./time-words.ts"
import { wordLines } from "./wrap-line.ts"

export type CallLinesOptions = {
  readonly short: string
  readonly now: number
  readonly paint: Paint
  /** The session it was made in; undefined where nothing is known of it. */
  readonly session: SessionView | undefined
  /** How wide the terminal is; undefined where it is none. */
  readonly columns: number | undefined
  readonly reveal: Reveal
}

/** A waiting call as a person decides on it: what, by whom, why, and every argument; what looks like a secret only where it is to be revealed. */
export function callLines(view: ApprovalView, { reveal, ...options }: CallLinesOptions): string {
  const { paint } = options
  return wrapped(
    [
      ...headLines(view, options),
      ...view.risks.map(({ sentence }) => `  ${paint("red", "warning")}    ${sentenceLines(sentence)}`),
      ...pinLines(view, paint),
      ...argumentLines(view, paint, reveal),
      ...extraLines(view, paint, reveal),
    ],
    options.columns,
  )
}

/** A call in a list: what, by whom, why, and the beginning of a few arguments. */
export function summaryLines(view: ApprovalSummaryView, options: Omit<CallLinesOptions, "reveal">): string {
  const { short, paint } = options
  return wrapped(
    [
      ...headLines(view, options),
      ...riskLines(view, paint, short),
      ...pinLines(view, paint),
      ...previewLines(view, paint, short),
    ],
    options.columns,
  )
}

type Listed = ApprovalView | ApprovalSummaryView

type HeadOptions = Omit<CallLinesOptions, "reveal">

function headLines(view: Listed, options: HeadOptions): readonly string[] {
  const { tool, session: of, why, kind } = view
  const { short, now, paint, session } = options
  const name = kind === "tool" ? toolName(tool) : `${tool.server}(${kind}:${tool.tool})`
  const until = view.status === "pending" && view.expiresAt !== null ? `, expires ${inWords(view.expiresAt - now)}` : ""
  return [
    `${paint("cyan", short)}  ${paint("bold", nameAmongWords(name))}  ${accessWords(view, paint)}`,
    `  asked by   ${nameAmongWords(shortSessionName(session, of))}, ${ago(now - view.createdAt)}${until}`,
    ...sessionFacts(view, options),
    ...(view.starter === undefined ? [] : [`  started by ${sentenceLines(starterWords(view.starter))}`]),
    `  why        ${sentenceLines(why)}`,
    ...callerLines(view, session),
    ...needLines(view),
  ]
}

/** Which session it is, by the names that other commands take, and whether its client is there. */
function sessionFacts({ session: of }: Listed, { session, now, paint }: HeadOptions): readonly string[] {
  const named = of.named
    ? `${nameAmongWords(of.id)} of ${nameAmongWords(of.principal)}`
    : `all calls of ${nameAmongWords(of.principal)}, even after a restart`
  if (session === undefined) return [`  session    ${named}`]
  return [`  session    ${named}, ${presenceWords(session, now, paint)}`, ...folderLines(session)]
}

function callerLines(view: Listed, session: SessionView | undefined): readonly string[] {
  if (view.status !== "pending" || view.callerWaits) return []
  if (isRunPrincipal(view.principal.id)) return ["  caller     an agent run: it goes on once all its calls are decided"]
  return session?.connection.state === "gone"
    ? ["  caller     disconnected: this call is withdrawn unless it reconnects within seconds"]
    : ["  caller     no longer waiting: gets the result when it repeats the call"]
}

function riskLines({ risks }: ApprovalSummaryView, paint: Paint, short: string): string[] {
  if (risks === null || risks.count === 0) return []
  const things = risks.count === 1 ? "1 warning" : `${risks.count} warnings`
  return [`  ${paint("red", "warning")}    ${things}; byleave pending ${short} shows all`]
}

function previewLines({ preview, bytes }: ApprovalSummaryView, paint: Paint, short: string): string[] {
  if (preview === null) return ["  arguments  no longer stored"]
  if (preview.length === 0) return ["  arguments  none"]
  return [
    `  arguments  ${paint("dim", `${bytes} bytes; byleave pending ${short} shows all`)}`,
    ...preview.map(({ name, text }) => `    ${paint("green", argumentName(name))}: ${showText(text)}`),
  ]
}

/** In quotes where it would not be plain where the name ends and the value begins. */
function argumentName(name: string): string {
  return isOneWord(name) && !name.includes(":") ? name : quoted(name, Number.POSITIVE_INFINITY)
}

const readWords = {
  classify: "reads",
  annotation: "read-only, according to its server",
  name: "probably read-only, judging by its name",
  default: "assumed read-only",
} as const satisfies Record<NonNullable<ApprovalView["accessFrom"]>, string>

/** Claims that only a name or a server makes are shown as such. */
function accessWords({ access, accessFrom }: Listed, paint: Paint): string {
  if (access === "write") return paint("yellow", "writes")
  return readWords[accessFrom ?? "default"]
}

function needLines({ needs, votes }: Listed): string[] {
  if (needs.approvals <= 1 && needs.groups.length === 0) return []
  const from = needs.groups.length === 0 ? "" : ` from ${needs.groups.map(showText).join(" or ")}`
  const given = votes.filter(({ kind }) => kind === "approve").map(({ reviewer }) => showText(reviewer))
  const so = given.length === 0 ? "" : `; approved by ${given.join(", ")}`
  return [`  needs      ${needs.approvals} approvals${from}${so}`]
}

function pinLines({ pin }: Listed, paint: Paint): string[] {
  if (pin === "changed")
    return [`  ${paint("red", "warning")}    This tool's definition changed since it was accepted.`]
  if (pin === "new") return [`  ${paint("red", "warning")}    This tool was added after its server was accepted.`]
  return []
}

function argumentLines(view: ApprovalView, paint: Paint, reveal: Reveal): string[] {
  const args = shownArguments(view)
  if (args === null) return ["  arguments  no longer stored"]
  const entries = Object.entries(args)
  if (entries.length === 0) return ["  arguments  none"]
  const head = view.runDigest === view.callDigest ? "  arguments" : "  arguments, edited by a reviewer"
  return [head, ...entries.flatMap(([key, value]) => valueLines(key, value, paint, reveal))]
}

/** Lists the params that the server is sent besides the arguments, and those it is not sent. */
function extraLines(view: ApprovalView, paint: Paint, reveal: Reveal): string[] {
  const extra = Object.entries(shownExtraParams(view) ?? {}).flatMap(([key, value]) =>
    valueLines(key, value, paint, reveal),
  )
  const continues = Object.hasOwn(shownExtraParams(view) ?? {}, "requestState")
  const dropped = (view.droppedParams ?? []).map(showText).join(", ")
  return [
    ...(continues
      ? ["  continues  a question that the server asked; requestState is the server's own note of it"]
      : []),
    ...(extra.length === 0 ? [] : ["  also sent to the server", ...extra]),
    ...(dropped === "" ? [] : [`  not sent   ${dropped}: not part of MCP`]),
  ]
}

function valueLines(key: string, whole: JsonValue, paint: Paint, reveal: Reveal): string[] {
  const { value, count } = shownValue(key, whole, reveal)
  const text = typeof value === "string" ? textOf(value, count > 0) : JSON.stringify(value, null, 2)
  return [...wordLines(`    ${paint("green", argumentName(key))}: `, text)]
}

/** Words of ours in place of a text are not quoted: what is quoted is the text. */
function textOf(text: string, isMask: boolean): string {
  return isMask ? text : textAmongValues(text)
}
