import type { CallView, InputOf, Routes } from "@byleave/api"
import { spanInWords, waitInWords } from "@byleave/ui"
import { effectLabels, outcomeSaid, refusalInWords } from "./call-words.ts"

/** The filters of the list of calls, as they stand in the page's address. */
export type ActivityFilters = {
  /** Words looked for in the tool, the agent, the arguments and the reasons. */
  readonly text?: string
  readonly effect?: string
  readonly outcome?: string
  readonly server?: string
  readonly tool?: string
  readonly principal?: string
  readonly session?: string
  readonly decidedBy?: string
  readonly code?: string
  /** The first answer people gave: `approved`, `denied` or `none`. */
  readonly answer?: string
  readonly decidedFromMs?: number
  readonly decidedToMs?: number
  readonly since?: number
  readonly until?: number
  /** Instead of `since`: how far back from now, in milliseconds. */
  readonly last?: number
}

const texts = ["text", "server", "tool", "principal", "session", "decidedBy", "code"] as const
const numbers = ["decidedFromMs", "decidedToMs", "since", "until", "last"] as const

/** Reads an address's query. What nobody could have meant is left out, never sent on. */
export function readFilters(search: Readonly<Record<string, unknown>>): ActivityFilters {
  const filters: Record<string, string | number> = {}
  const effects = knownIn(search.effect, effectLabels)
  const outcomes = knownIn(search.outcome, outcomeSaid)
  if (effects !== "") filters.effect = effects
  if (outcomes !== "") filters.outcome = outcomes
  const answer = knownIn(search.answer, answerWords)
  if (answer !== "" && !answer.includes(",")) filters.answer = answer
  for (const name of texts) {
    const text = textIn(search[name])
    if (text !== "") filters[name] = text
  }
  for (const name of numbers) {
    const value = Number(search[name] ?? Number.NaN)
    if (Number.isFinite(value) && value >= 0) filters[name] = Math.floor(value)
  }
  return filters
}

// An address's parts arrive as strings or, where they look like numbers, as numbers.
function textIn(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}

function knownIn(value: unknown, known: Readonly<Record<string, unknown>>): string {
  return textIn(value)
    .split(",")
    .filter((part) => Object.hasOwn(known, part))
    .join(",")
}

/** The answers of people that the list can be filtered by. */
export const answerWords = { approved: "Allowed", denied: "Denied", none: "No decision" } as const

type CallsQuery = NonNullable<InputOf<Routes["listCalls"]>["query"]>

/** How coarse "the last hour" is: a query that changed every millisecond would be read anew every time. */
const coarse = 60_000

export function callsQuery({ last, ...others }: ActivityFilters, now: number): CallsQuery {
  const filters = others as CallsQuery
  if (last === undefined) return filters
  return { ...filters, since: Math.max(0, Math.floor((now - last) / coarse) * coarse) }
}

/** A filter as a removable chip; removing it removes all of `names`. */
type Chip = {
  readonly names: readonly (keyof ActivityFilters)[]
  readonly label: string
  readonly value: string
}

const labels = {
  text: "Search",
  server: "Server",
  tool: "Tool",
  principal: "Agent",
  session: "Session",
  decidedBy: "Decided by",
} as const

/** Everything the list is narrowed to, in words. */
export function chipsOf(filters: ActivityFilters): readonly Chip[] {
  const { effect, outcome, code, answer } = filters
  const chips: Chip[] = []
  if (effect !== undefined)
    chips.push({
      names: ["effect"],
      label: "Policy",
      value: eachOf(effect, (one) => effectLabels[one as CallView["effect"]]),
    })
  if (outcome !== undefined)
    chips.push({
      names: ["outcome"],
      label: "Outcome",
      value: eachOf(outcome, (one) => outcomeSaid[one as CallView["outcome"]].words),
    })
  for (const [name, label] of Object.entries(labels) as readonly [keyof typeof labels, string][]) {
    const value = filters[name]
    if (value !== undefined) chips.push({ names: [name], label, value })
  }
  if (answer !== undefined) {
    chips.push({ names: ["answer"], label: "Review", value: answerWords[answer as keyof typeof answerWords] })
  }
  if (code !== undefined) chips.push({ names: ["code"], label: "Reason not run", value: refusalInWords(code) })
  return [...chips, ...waitChip(filters), ...timeChip(filters)]
}

function eachOf(list: string, words: (one: string) => string): string {
  return [...new Set(list.split(",").map(words))].join(" or ")
}

function waitChip({ decidedFromMs: from, decidedToMs: to }: ActivityFilters): readonly Chip[] {
  if (from === undefined && to === undefined) return []
  return [
    { names: ["decidedFromMs", "decidedToMs"], label: "Decided after", value: waitInWords(from ?? null, to ?? null) },
  ]
}

function timeChip({ since, until, last }: ActivityFilters): readonly Chip[] {
  if (last !== undefined) return [{ names: ["last"], label: "Time", value: lastInWords(last) }]
  if (since === undefined && until === undefined) return []
  return [{ names: ["since", "until"], label: "Time", value: betweenInWords(since, until) }]
}

function betweenInWords(since: number | undefined, until: number | undefined): string {
  if (since !== undefined && until !== undefined) return spanInWords(since, until)
  return since === undefined ? `before ${momentInWords(until ?? 0)}` : `since ${momentInWords(since)}`
}

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" })

function momentInWords(at: number): string {
  return moment.format(at)
}

const hour = 3_600_000

/** The first moment of a day of the reader's own, such as `2026-03-01`; `days` later. Null where it is no date. */
export function dayStart(day: string, days = 0): number | null {
  const [year, month, date] = day.split("-").map(Number)
  if (year === undefined || month === undefined || date === undefined) return null
  const at = new Date(year, month - 1, date + days).getTime()
  return Number.isFinite(at) && at >= 0 ? at : null
}

/** The day a moment is in, as a field for dates wants it. */
export function dayOf(at: number | undefined): string {
  if (at === undefined) return ""
  const date = new Date(at)
  const two = (part: number): string => String(part).padStart(2, "0")
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The times people choose from. */
export const lastChoices = [
  { value: hour, label: "Last hour" },
  { value: 24 * hour, label: "Last 24 hours" },
  { value: 7 * 24 * hour, label: "Last 7 days" },
  { value: 30 * 24 * hour, label: "Last 30 days" },
] as const

function lastInWords(last: number): string {
  return lastChoices.find((choice) => choice.value === last)?.label ?? `last ${Math.round(last / hour)} h`
}

export function without(filters: ActivityFilters, names: readonly (keyof ActivityFilters)[]): ActivityFilters {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name as keyof ActivityFilters)))
}
