import {
  type ApprovalSummaryView,
  type ApprovalView,
  pathNames,
  type RiskLevel,
  riskLevelOf,
  type SessionView,
  shownArguments,
} from "@byleave/api"
import { previewOf, showText, toolName } from "@byleave/core"
import type { Paint } from "../terminal/paint.ts"
import { cutLine, lineWidth } from "./cut-line.ts"
import { nameInLine } from "./session-lines.ts"
import { shortAge } from "./time-words.ts"

export type CallRowOptions = {
  /** How the row begins: an id, or the cursor. */
  readonly head: string
  readonly now: number
  readonly paint: Paint
  readonly session: SessionView | undefined
  /** The row is no wider than this. */
  readonly columns: number
}

const longestWho = 20
const longestTool = 40

/** A call in one line: how long it waits, whether it is risky, who asks, for what, and what it is about. */
export function callRow(view: ApprovalSummaryView, { head, now, paint, session, columns }: CallRowOptions): string {
  const age = shortAge(now - view.createdAt).padStart(3)
  const who = cutLine(nameInLine(session, view.session), longestWho)
  const tool = cutLine(showText(toolName(view.tool)), longestTool)
  const mark = marks[riskLevelOf(view)]
  const before = `${head}  ${age} ${mark.text} ${who}  `
  const about = aboutWords(view)
  const rest = cutLine(`${tool}  ${about}`, Math.max(columns - lineWidth(before), 10))
  const marked = mark.style === null ? mark.text : paint(mark.style, mark.text)
  const shown = rest.startsWith(tool) ? `${paint("bold", tool)}${rest.slice(tool.length)}` : paint("bold", rest)
  return `${paint("cyan", head)}  ${age} ${marked} ${who}  ${shown}`.trimEnd()
}

type RiskMark = { readonly text: string; readonly style: "red" | "yellow" | null }

/** Two columns wide each. */
const marks = {
  none: { text: "  ", style: null },
  notice: { text: "! ", style: "yellow" },
  strong: { text: "!!", style: "red" },
} as const satisfies Record<RiskLevel, RiskMark>

const longestAbout = 60

/** A call among several: `files(write_file) notes/a.txt`, by what was shown of it and not by what a list says. */
export function calledWords(view: ApprovalView): string {
  const [first = ""] = aboutParts(previewOf(shownArguments(view) ?? {}))
  return `${showText(toolName(view.tool))} ${cutLine(first, longestAbout)}`.trimEnd()
}

function aboutWords({ preview }: ApprovalSummaryView): string {
  if (preview === null) return "arguments no longer stored"
  return preview.length === 0 ? "no arguments" : aboutParts(preview).join(" · ")
}

/** The path first and by itself, then other values with their names. Secrets are not among them. */
function aboutParts(preview: NonNullable<ApprovalSummaryView["preview"]>): readonly string[] {
  const isPath = ({ name }: { readonly name: string }): boolean => pathNames.includes(name)
  return [...preview.filter(isPath), ...preview.filter((each) => !isPath(each))].map((each) =>
    isPath(each) ? showText(each.text) : `${showText(each.name)}: ${showText(each.text)}`,
  )
}
