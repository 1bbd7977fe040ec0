import type { WaitingCall } from "../../../data/live/waiting-table.ts"
import type { CallOrder } from "./sort-calls.ts"
import { endOf, soonMs } from "./urgency.ts"

export type CallFilter = {
  /** Words, all of which must occur in what the list shows of the call. */
  readonly text: string
  readonly server: string
  readonly tool: string
  readonly session: string
  readonly principal: string
  /** Only those that end soon by themselves. */
  readonly soon: boolean
  readonly sort: CallOrder
}

export const noFilter: CallFilter = {
  ...{ text: "", server: "", tool: "", session: "", principal: "" },
  soon: false,
  sort: "oldest",
}

export function isFiltering(filter: CallFilter): boolean {
  return (
    filter.soon ||
    [filter.text.trim(), filter.server, filter.tool, filter.session, filter.principal].some((part) => part !== "")
  )
}

/** `nameOf` says what people call a session. */
export function filterCalls(
  calls: readonly WaitingCall[],
  filter: CallFilter,
  nameOf: (call: WaitingCall) => string,
  now: number,
): readonly WaitingCall[] {
  if (!isFiltering(filter)) return calls
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  return calls.filter(
    (call) =>
      (filter.server === "" || call.tool.server === filter.server) &&
      (filter.tool === "" || call.tool.tool === filter.tool) &&
      (filter.session === "" || call.sessionKey === filter.session) &&
      (filter.principal === "" || call.principal.id === filter.principal) &&
      (!filter.soon || endsSoon(call, now)) &&
      (words.length === 0 || hasAll(call, words, nameOf)),
  )
}

/** The calls that wait and match, and those to list: with `kept`, which is settled and open, where it matches, too. */
export function listedCalls(
  calls: readonly WaitingCall[],
  kept: WaitingCall | null,
  matchingOf: (calls: readonly WaitingCall[]) => readonly WaitingCall[],
): { readonly matching: readonly WaitingCall[]; readonly listed: readonly WaitingCall[] } {
  const matching = matchingOf(calls)
  const isListed = kept !== null && (kept.status === "pending" || matchingOf([kept]).length > 0)
  return { matching, listed: isListed ? withKept(matching, kept) : matching }
}

/** In its place by age, as if it still waited. */
function withKept(calls: readonly WaitingCall[], kept: WaitingCall): readonly WaitingCall[] {
  const at = calls.findIndex(({ id }) => id === kept.id)
  if (at !== -1) return calls.with(at, kept)
  const before = calls.findIndex(({ createdAt }) => createdAt > kept.createdAt)
  return before === -1 ? [...calls, kept] : calls.toSpliced(before, 0, kept)
}

export function endsSoon(call: WaitingCall, now: number): boolean {
  const end = endOf(call)
  return end !== null && end - now <= soonMs
}

function hasAll(call: WaitingCall, words: readonly string[], nameOf: (call: WaitingCall) => string): boolean {
  const text = `${textOf(call)}\n${nameOf(call).toLowerCase()}`
  return words.every((word) => text.includes(word))
}

const texts = new WeakMap<WaitingCall, string>()

/** Written once per call, however often somebody types. */
function textOf(call: WaitingCall): string {
  const known = texts.get(call)
  if (known !== undefined) return known
  const args = (call.preview ?? []).map(({ name, text }) => `${name}: ${text}`)
  const text = [`${call.tool.server}(${call.tool.tool})`, call.principal.id, ...args].join("\n").toLowerCase()
  texts.set(call, text)
  return text
}

type FilterChoices = {
  readonly servers: readonly string[]
  readonly tools: readonly string[]
  readonly principals: readonly string[]
  /** By key; the first call of each tells its name. */
  readonly sessions: ReadonlyMap<string, WaitingCall>
}

/** The choices that these calls leave for each filter. */
export function filterChoices(calls: readonly WaitingCall[]): FilterChoices {
  const servers = new Set<string>()
  const tools = new Set<string>()
  const principals = new Set<string>()
  const sessions = new Map<string, WaitingCall>()
  for (const call of calls) {
    servers.add(call.tool.server)
    tools.add(call.tool.tool)
    principals.add(call.principal.id)
    if (!sessions.has(call.sessionKey)) sessions.set(call.sessionKey, call)
  }
  return { servers: [...servers].sort(), tools: [...tools].sort(), principals: [...principals].sort(), sessions }
}
