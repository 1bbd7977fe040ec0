/**
 * The list of waiting calls as lines: a line per session, one per tool that a session wants to use several times, one per call. Whoever has waited
 * longest comes first, and nothing that arrives or settles changes the order of what is there.
 */
import type { WaitingCall } from "../../../data/live/waiting-table.ts"
import { endOf } from "./urgency.ts"

export type ListLine =
  | {
      readonly kind: "session"
      readonly key: string
      readonly sessionKey: string
      readonly calls: readonly WaitingCall[]
    }
  | { readonly kind: "tool"; readonly key: string; readonly calls: readonly WaitingCall[] }
  | { readonly kind: "call"; readonly key: string; readonly call: WaitingCall; readonly isNested: boolean }

/** `order`: the sessions as they stood before, so that they stay where they are. */
export function groupCalls(
  calls: readonly WaitingCall[],
  order: readonly string[] = [],
): { readonly lines: readonly ListLine[]; readonly order: readonly string[] } {
  const bySession = Map.groupBy(calls, ({ sessionKey }) => sessionKey)
  const stood = order.filter((key) => bySession.has(key))
  const known = new Set(stood)
  const sessions = [...stood, ...[...bySession.keys()].filter((key) => !known.has(key))]
  const lines: ListLine[] = []
  for (const sessionKey of sessions) {
    const inSession = bySession.get(sessionKey) ?? []
    lines.push({ kind: "session", key: `session ${sessionKey}`, sessionKey, calls: inSession })
    for (const group of Map.groupBy(inSession, toolKeyOf).values()) lines.push(...linesOf(sessionKey, group))
  }
  return { lines, order: sessions }
}

/** The same for each level of risk by itself: nothing stands above what is riskier. `calls` come the riskiest first. */
export function groupByRisk(calls: readonly WaitingCall[]): readonly ListLine[] {
  const byLevel = Map.groupBy(calls, ({ riskLevel }) => riskLevel ?? "none")
  return [...byLevel].flatMap(([level, some]) =>
    groupCalls(some).lines.map((line) => (line.kind === "call" ? line : { ...line, key: `${level} ${line.key}` })),
  )
}

function linesOf(sessionKey: string, calls: readonly WaitingCall[]): readonly ListLine[] {
  const [first] = calls
  if (first === undefined) return []
  const isNested = calls.length > 1
  const own = calls.map((call): ListLine => ({ kind: "call", key: call.id, call, isNested }))
  return isNested ? [{ kind: "tool", key: `tool ${sessionKey} ${toolKeyOf(first)}`, calls }, ...own] : own
}

const toolKeys = new WeakMap<WaitingCall, string>()

/** Written once per call: the list is made anew with every change. The length keeps a server's id and a tool's name apart, whatever is in them. */
function toolKeyOf(call: WaitingCall): string {
  const known = toolKeys.get(call)
  if (known !== undefined) return known
  const { kind, tool } = call
  const key = `${kind} ${tool.server.length}:${tool.server}${tool.tool}`
  toolKeys.set(call, key)
  return key
}

/** When the first of them ends by itself. */
export function soonestEnd(calls: readonly WaitingCall[]): number | null {
  const ends = calls.flatMap((call) => endOf(call) ?? [])
  return ends.length === 0 ? null : ends.reduce((soonest, end) => Math.min(soonest, end))
}
