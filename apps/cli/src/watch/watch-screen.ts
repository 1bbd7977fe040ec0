import { scopeWords } from "@byleave/api"
import { showText } from "@byleave/core"
import { callLines, summaryLines } from "../decide/call-lines.ts"
import { callRow } from "../decide/call-row.ts"
import { cutLine } from "../decide/cut-line.ts"
import { shortId } from "../decide/short-id.ts"
import { wrapLine } from "../decide/wrap-line.ts"
import type { Paint } from "../terminal/paint.ts"
import { isTooLong } from "./too-long.ts"
import { type Choice, type ShownRows, selected, type WatchState } from "./watch-state.ts"

export type Size = { readonly columns: number; readonly rows: number }

/** The whole screen as lines, none wider or more than fit, and which rows of the call under the cursor are among them; null: none. */
export type Screen = { readonly lines: readonly string[]; readonly shown: ShownRows | null }

/** Words of others have passed `showText` before they get here. */
export function screenOf(state: WatchState, size: Size, now: number, paint: Paint, url: string): Screen {
  const head = headLine(state, paint, url, size.columns)
  const foot = footLines(state, paint).flatMap((line) => wrapLine(line, size.columns))
  const room = Math.max(size.rows - foot.length - 2, 3)
  const listRoom = Math.min(state.waiting.length, Math.max(1, Math.floor(room / 3)))
  const list = listLines(state, size, now, paint, listRoom)
  const card = cardOf(state, size, now, paint, Math.max(0, room - list.length - 1))
  const body = state.waiting.length === 0 ? ["", "  No waiting calls."] : [...list, "", ...card.lines]
  const filled = [...body, ...Array.from({ length: Math.max(0, room - body.length) }, () => "")].slice(0, room)
  const lines = [head, "", ...filled, ...foot]
  // On a terminal as low as this, nobody can tell which lines are left of them.
  return { lines, shown: lines.length <= size.rows ? card.shown : null }
}

function headLine(state: WatchState, paint: Paint, url: string, columns: number): string {
  const count = state.waiting.length
  const words = count === 0 ? "no waiting calls" : `${count} ${count === 1 ? "waiting call" : "waiting calls"}`
  const title = "byleave watch"
  const link = state.isConnected ? url : "not connected, retrying"
  const rest = cutLine(`  ${words}  ${link}`, Math.max(columns - title.length, 1))
  return `${paint("bold", title)}${state.isConnected ? rest : paint("red", rest)}`
}

function listLines(state: WatchState, { columns }: Size, now: number, paint: Paint, room: number): readonly string[] {
  const at = state.waiting.findIndex(({ id }) => id === state.at)
  const from = Math.max(0, Math.min(at - Math.floor(room / 2), state.waiting.length - room))
  return state.waiting.slice(from, from + room).map((view) => {
    const session = state.sessions.get(view.sessionKey)
    return callRow(view, { head: view.id === state.at ? "›" : " ", now, paint, session, columns })
  })
}

function cardOf(state: WatchState, size: Size, now: number, paint: Paint, room: number): Screen {
  const view = selected(state)
  if (view === undefined) return { lines: state.at === null ? [] : ["  …"], shown: null }
  const short = shortId(
    view.id,
    state.waiting.map(({ id }) => id),
  )
  const session = state.sessions.get(view.sessionKey)
  const how = { short, now, paint, session, columns: size.columns }
  const listed = state.waiting.find(({ id }) => id === view.id)
  if (isTooLong(view)) {
    const text = listed === undefined ? "" : summaryLines(listed, how)
    return { lines: rowsOf(`${text}\n${paint("yellow", tooLong)}`, size.columns).slice(0, room), shown: null }
  }
  const lines = rowsOf(callLines(view, { ...how, reveal: { isShown: state.isRevealed, by: "r" } }), size.columns)
  const of = lines.length
  const { columns } = size
  if (of <= room) return { lines, shown: { from: 0, to: of, of, columns } }
  if (room === 0) return { lines: [], shown: null }
  const count = room - 1
  const from = Math.min(state.scroll, of - count)
  const to = from + count
  const note = to < of ? `${of - to} more lines below: space` : `${from} lines above: page up`
  return { lines: [...lines.slice(from, to), paint("yellow", `  ${note}`)], shown: { from, to, of, columns } }
}

const tooLong = "  Too long to be shown whole here. It can be denied, or opened in the inbox."

function rowsOf(text: string, columns: number): readonly string[] {
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line) => wrapLine(line, columns))
}

const asks: Record<Exclude<Choice, "session">, string> = {
  once: "Allow this call once?",
  always: "Always allow this tool, for every agent?",
}

/** The meaning of the key s for the call under the cursor. */
function sessionKey(state: WatchState): string {
  return selected(state)?.session.named === false ? "s for 30 minutes" : "s for the session"
}

function footLines(state: WatchState, paint: Paint): readonly string[] {
  const said = state.said === "" ? "" : paint("yellow", state.said)
  switch (state.step.kind) {
    case "looking":
      return [said, state.help ? `${keysOf(state)}   ${help}` : paint("dim", keysOf(state))]
    case "choosing":
      return [said, `${paint("bold", askOf(state, state.step.choice))} y: yes, any other key: no`]
    case "denying":
      return [
        said,
        `${paint("bold", "Deny.")} Reason (shown to the agent): ${showText(state.step.reason)}▏ Enter: deny, Esc: cancel`,
      ]
    case "busy":
      return [said, "…"]
  }
}

function askOf(state: WatchState, choice: Choice): string {
  if (choice !== "session") return asks[choice]
  const view = selected(state)
  return view === undefined ? "" : scopeWords(view).question
}

function keysOf(state: WatchState): string {
  return `a allow once  ${sessionKey(state)}  w always  d deny  j/k move  ? keys  q quit`
}

const help =
  "r: show or hide likely secrets. Space, page up: scroll. Allowing always takes two keys; the PIN is requested once."
