import { showText, toolName } from "@byleave/core"
import { callLines } from "../decide/call-lines.ts"
import { shortId } from "../decide/short-id.ts"
import { ago } from "../decide/time-words.ts"
import { wrapLine } from "../decide/wrap-line.ts"
import type { Paint } from "../paint.ts"
import { type Choice, selected, type WatchState } from "./watch-state.ts"

export type Size = { readonly columns: number; readonly rows: number }

/** The whole screen as lines, none wider or more than fit, and whether the end of the call under the cursor is among them. */
export type Screen = { readonly lines: readonly string[]; readonly showsEnd: boolean }

/** Words of others have passed `showText` before they get here. */
export function screenOf(state: WatchState, size: Size, now: number, paint: Paint, url: string): Screen {
  const head = headLine(state, paint, url)
  const foot = footLines(state, paint)
  const room = Math.max(size.rows - foot.length - 2, 3)
  const listRoom = Math.min(state.waiting.length, Math.max(1, Math.floor(room / 3)))
  const list = listLines(state, now, paint, listRoom)
  const card = cardOf(state, size, now, paint, Math.max(2, room - list.length - 1))
  const body = state.waiting.length === 0 ? ["", "  Nothing waits."] : [...list, "", ...card.lines]
  const filled = [...body, ...Array.from({ length: Math.max(0, room - body.length) }, () => "")].slice(0, room)
  return { lines: [head, "", ...filled, ...foot], showsEnd: card.showsEnd && body.length <= room }
}

function headLine(state: WatchState, paint: Paint, url: string): string {
  const count = state.waiting.length
  const words = count === 0 ? "nothing waits" : `${count} ${count === 1 ? "call waits" : "calls wait"}`
  const link = state.isConnected ? url : paint("red", "not connected, trying again")
  return `${paint("bold", "byleave watch")}  ${words}  ${link}`
}

function listLines(state: WatchState, now: number, paint: Paint, room: number): readonly string[] {
  const at = state.waiting.findIndex(({ id }) => id === state.at)
  const from = Math.max(0, Math.min(at - Math.floor(room / 2), state.waiting.length - room))
  return state.waiting.slice(from, from + room).map((view) => {
    const line = `${showText(toolName(view.tool))}  ${showText(view.principal.id)}  ${ago(now - view.createdAt)}`
    return view.id === state.at ? `${paint("cyan", "›")} ${paint("bold", line)}` : `  ${line}`
  })
}

function cardOf(state: WatchState, size: Size, now: number, paint: Paint, room: number): Screen {
  const view = selected(state)
  if (view === undefined) return { lines: [], showsEnd: false }
  const short = shortId(
    view.id,
    state.waiting.map(({ id }) => id),
  )
  const text = callLines(view, { short, now, paint, most: Number.POSITIVE_INFINITY })
  const lines = text
    .trimEnd()
    .split("\n")
    .flatMap((line) => wrapLine(line, size.columns))
  if (lines.length <= room) return { lines, showsEnd: true }
  const shown = room - 1
  const from = Math.min(state.scroll, lines.length - shown)
  const left = lines.length - shown - from
  const note = left > 0 ? `${left} more lines below: space` : `${from} lines above: page up`
  return { lines: [...lines.slice(from, from + shown), paint("yellow", `  ${note}`)], showsEnd: left === 0 }
}

const asks: Record<Choice, string> = {
  once: "Allow this call once?",
  session: "Allow this tool for the rest of its session?",
  always: "Allow this tool always, in every session?",
}

function footLines(state: WatchState, paint: Paint): readonly string[] {
  const said = state.said === "" ? "" : paint("yellow", state.said)
  switch (state.step.kind) {
    case "looking":
      return [said, state.help ? help : paint("dim", keys)]
    case "choosing":
      return [said, `${paint("bold", asks[state.step.choice])} y is yes, any other key is no`]
    case "denying":
      return [
        said,
        `${paint("bold", "Deny.")} Why (told to the agent)? ${showText(state.step.reason)}▏ Enter denies, Esc does not`,
      ]
    case "busy":
      return [said, "…"]
  }
}

const keys = "a allow once   s for the session   w always   d deny   j/k move   ? all keys   q quit"
const help = `${keys}   space, page up: scroll. Every yes takes two keys; the PIN is asked for once.`
