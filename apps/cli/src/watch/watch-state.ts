/**
 * The screen of `byleave watch` and its keys: state and key in, next state and intent out.
 *
 * No single key approves: every yes is a choice and then `y`. A call that has just appeared under the cursor takes no choice for half a
 * second, nothing can be allowed before what it hides was shown and every line of it was on the screen, and a choice is dropped when its call changes or is gone.
 * A call that is too long for the screen can be denied here, and not allowed.
 */
import type { ApprovalSummaryView, ApprovalView } from "@byleave/api"
import { countMasked, hiddenWords } from "../decide/masks.ts"
import type { SessionsByKey } from "../decide/sessions-of.ts"
import { isTooLong, textOf } from "./too-long.ts"

export type Choice = "once" | "session" | "always"

export type WatchState = {
  readonly waiting: readonly ApprovalSummaryView[]
  /** The known facts about their sessions. */
  readonly sessions: SessionsByKey
  /** The id under the cursor. */
  readonly at: string | null
  /** The call under the cursor, as it was read by itself: what is on the screen, and what an answer is bound to. */
  readonly card: ApprovalView | null
  /** Since when it has been there, as it is now. */
  readonly since: number
  readonly step:
    | { readonly kind: "looking" }
    | { readonly kind: "choosing"; readonly choice: Choice }
    | { readonly kind: "denying"; readonly reason: string }
    | { readonly kind: "busy" }
  readonly scroll: number
  /** How many rows of the call were on the screen when it was last drawn. */
  readonly page: number
  readonly seen: Seen | null
  /** Likely secrets in the call under the cursor are on the screen. */
  readonly isRevealed: boolean
  readonly said: string
  readonly isConnected: boolean
  readonly help: boolean
}

/** How much of a call has been on the screen, as it was then. */
type Seen = {
  readonly as: string
  /** So many from the first on, none left out, at this width. */
  readonly rows: number
  readonly columns: number
  readonly isWhole: boolean
}

/** Rows of the call under the cursor that are on the screen: from this one up to, not including, that one, of so many. */
export type ShownRows = {
  readonly from: number
  readonly to: number
  readonly of: number
  readonly columns: number
}

export type Intent =
  | { readonly kind: "approve"; readonly view: ApprovalView; readonly choice: Choice }
  | { readonly kind: "deny"; readonly view: ApprovalView; readonly reason: string }
  | { readonly kind: "quit" }

export const firstState: WatchState = {
  waiting: [],
  sessions: new Map(),
  at: null,
  card: null,
  since: 0,
  step: { kind: "looking" },
  scroll: 0,
  page: 0,
  seen: null,
  isRevealed: false,
  said: "",
  isConnected: false,
  help: false,
}

const settleMs = 500

/** The calls that wait now. The cursor stays with its call; when that is gone, it goes to the one in its place. */
export function withWaiting(state: WatchState, waiting: readonly ApprovalSummaryView[], now: number): WatchState {
  if (waiting.some(({ id }) => id === state.at)) return { ...state, waiting }
  const before = state.waiting.findIndex(({ id }) => id === state.at)
  const at = waiting[Math.min(Math.max(before, 0), waiting.length - 1)]
  return { ...begunAnew(state, now), waiting, at: at?.id ?? null, card: null }
}

/** The call under the cursor as it is now; null when it cannot be read. One that differs from what is on the screen is looked at anew. */
export function withCard(state: WatchState, id: string, card: ApprovalView | null, now: number): WatchState {
  if (id !== state.at) return state
  const next = card?.id === id && card.status === "pending" ? card : null
  const isSame = next !== null && state.card !== null && shownAs(next) === shownAs(state.card)
  return { ...(isSame ? state : begunAnew(state, now)), card: next }
}

function begunAnew(state: WatchState, now: number): WatchState {
  return { ...state, since: now, step: state.step.kind === "busy" ? state.step : looking, scroll: 0, isRevealed: false }
}

const looking = { kind: "looking" } as const

/** A call as it is on the screen: an edited one is another, whatever digest it comes with. */
function shownAs(view: ApprovalView): string {
  return textOf(view)
}

/** The call on the screen; undefined while it is being read. */
export function selected({ card, at }: WatchState): ApprovalView | undefined {
  return card !== null && card.id === at ? card : undefined
}

/** The same once these rows were drawn. Rows count as seen where they join on to those seen before. */
export function withShown(state: WatchState, shown: ShownRows | null): WatchState {
  const view = selected(state)
  if (view === undefined || shown === null) return { ...state, page: 0 }
  const as = shownAs(view)
  const drawn = { ...state, scroll: shown.from, page: shown.to - shown.from }
  const before = state.seen?.as === as ? state.seen : null
  if (before?.isWhole === true) return drawn
  // At another width they are other rows.
  const known = before?.columns === shown.columns ? before.rows : 0
  const rows = shown.from <= known ? Math.max(known, shown.to) : known
  return { ...drawn, seen: { as, rows, columns: shown.columns, isWhole: rows >= shown.of } }
}

/** One key. Names are those of Node's readline. */
export type Key = { readonly name: string; readonly text: string; readonly ctrl: boolean }

export type Pressed = { readonly state: WatchState; readonly intent?: Intent }

export function press(state: WatchState, key: Key, now: number): Pressed {
  if (key.ctrl && key.name === "c") return { state, intent: { kind: "quit" } }
  switch (state.step.kind) {
    case "busy":
      return { state }
    case "looking":
      return pressLooking(state, key, now)
    case "choosing":
      return pressChoosing(state, key, state.step.choice)
    case "denying":
      return pressDenying(state, key, state.step.reason)
  }
}

const choices: ReadonlyMap<string, Choice> = new Map([
  ["a", "once"],
  ["s", "session"],
  ["w", "always"],
])

function pressLooking(state: WatchState, { name, text }: Key, now: number): Pressed {
  if (text === "?") return { state: { ...state, help: !state.help } }
  switch (name) {
    case "q":
      return { state, intent: { kind: "quit" } }
    case "j":
    case "down":
      return { state: moved(state, 1, now) }
    case "k":
    case "up":
      return { state: moved(state, -1, now) }
    case "r":
      // The revealed text may be longer: its end is yet to be seen.
      return { state: { ...state, isRevealed: !state.isRevealed, seen: null, said: "" } }
    case "space":
    case "pagedown":
      return { state: { ...state, scroll: state.scroll + pageStep(state) } }
    case "pageup":
      return { state: { ...state, scroll: Math.max(0, state.scroll - pageStep(state)) } }
    default:
      return { state: chosen(state, name, now) }
  }
}

/** One row stays, so that nothing is passed over. */
function pageStep({ page }: WatchState): number {
  return Math.max(1, page - 1)
}

function moved(state: WatchState, by: number, now: number): WatchState {
  const from = state.waiting.findIndex(({ id }) => id === state.at)
  const to = state.waiting[Math.min(Math.max(from + by, 0), state.waiting.length - 1)]
  return to === undefined || to.id === state.at
    ? state
    : { ...state, at: to.id, card: null, since: now, scroll: 0, isRevealed: false, said: "" }
}

function chosen(state: WatchState, name: string, now: number): WatchState {
  const view = selected(state)
  if (view === undefined) return state
  const choice = choices.get(name)
  if (choice === undefined && name !== "d") return state
  if (now - state.since < settleMs)
    return { ...state, said: "This call just appeared. Review it, then press the key again." }
  if (choice === undefined) return { ...state, step: { kind: "denying", reason: "" }, said: "" }
  if (isTooLong(view)) return { ...state, said: tooLongWords }
  const hidden = state.isRevealed
    ? null
    : hiddenWords(countMasked(view), "Press r to show everything before you allow it.")
  if (hidden !== null) return { ...state, said: hidden }
  if (state.seen?.as !== shownAs(view) || !state.seen.isWhole)
    return { ...state, said: "There is more to read. Scroll through all of it (space) before you allow it." }
  if (choice !== "once" && view.remember === "never")
    return { ...state, said: "This needs approval every time: it can only be allowed once." }
  return { ...state, step: { kind: "choosing", choice }, said: "" }
}

const tooLongWords =
  "This call is too long to be shown here. Open it in the inbox, or use byleave pending and byleave approve with its ID."

function pressChoosing(state: WatchState, { name }: Key, choice: Choice): Pressed {
  const view = selected(state)
  if (name !== "y" || view === undefined) return { state: { ...state, step: looking, said: "Nothing was decided." } }
  return { state: { ...state, step: { kind: "busy" } }, intent: { kind: "approve", view, choice } }
}

function pressDenying(state: WatchState, { name, text, ctrl }: Key, reason: string): Pressed {
  const view = selected(state)
  if (name === "escape" || view === undefined)
    return { state: { ...state, step: looking, said: "Nothing was decided." } }
  if (name === "return") {
    return { state: { ...state, step: { kind: "busy" } }, intent: { kind: "deny", view, reason: reason.trim() } }
  }
  const next = name === "backspace" ? [...reason].slice(0, -1).join("") : ctrl ? reason : reason + text
  return { state: { ...state, step: { kind: "denying", reason: next.slice(0, 500) } } }
}
