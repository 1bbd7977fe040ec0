import { connectionWords, type SessionView, shortSessionName } from "@byleave/api"
import { shownName, showText, toolName } from "@byleave/core"
import type { Paint } from "../terminal/paint.ts"
import { ago, inWords } from "./time-words.ts"
import { wrapLine } from "./wrap-line.ts"

/** Wider lines are hard to read. */
const widest = 78

/** Lines in rows that a terminal of so many columns does not wrap by itself; undefined: it is no terminal. */
export function wrapped(lines: readonly string[], columns: number | undefined): string {
  const most = rowWidth(columns)
  return `${lines.flatMap((line) => wrapLine(line, most)).join("\n")}\n`
}

/** How many columns a row may take on a terminal of so many; undefined: it is none. */
export function rowWidth(columns: number | undefined): number {
  return Math.min(widest, columns || widest)
}

/** A session in a list: how people know it, whether its client is there, and what holds in it. */
export function sessionLines(session: SessionView, now: number, paint: Paint, columns: number | undefined): string {
  const { id, principal, mode, modeUntil, waiting, grants, refused, label, firstCall, switches } = session
  const called =
    label === null ? [] : [`  client     ${showText(shortSessionName({ ...session, label: null }, session))}`]
  const until = modeUntil === null ? mode : `${mode}, ends ${inWords(modeUntil - now)}`
  return wrapped(
    [
      `${paint("cyan", showText(id))}  ${paint("bold", showText(shortSessionName(session, session)))}`,
      ...called,
      `  agent      ${nameAmongWords(principal)}, ${presenceWords(session, now, paint)}`,
      ...folderLines(session),
      ...(switches.length === 0
        ? []
        : [`  started    with ${switches.map(showText).join(" ")}: it asks less by itself`]),
      ...(firstCall === null ? [] : [`  first call ${showText(toolName(firstCall))}`]),
      `  mode       ${until}; ${waiting} waiting, ${grants.length} saved`,
      ...(refused.length === 0 ? [] : [`  blocked    ${refused.map((tool) => showText(toolName(tool))).join(", ")}`]),
    ],
    columns,
  )
}

/** A whole name that others chose, before words of ours: it is quoted where it could be taken for such words. */
export function nameAmongWords(name: string): string {
  return shownName(name, Number.POSITIVE_INFINITY)
}

/** `connected, started 2 hours ago` */
export function presenceWords(session: SessionView, now: number, paint: Paint): string {
  const words = connectionWords(session, (at) => ago(now - at))
  const shown = session.connection.state === "gone" ? paint("yellow", words) : words
  return session.startedAt === null ? shown : `${shown}, started ${ago(now - session.startedAt)}`
}

export function folderLines({ folder }: SessionView): readonly string[] {
  return folder === null ? [] : [`  folder     ${showText(folder)}`]
}

const mostInLine = 40

/** An agent's name where there is one line for it and more. */
export function nameInLine(session: SessionView | undefined, of: { readonly principal: string }): string {
  const letters = [...showText(shortSessionName(session, of))]
  return letters.length <= mostInLine ? letters.join("") : `${letters.slice(0, mostInLine - 1).join("")}…`
}
