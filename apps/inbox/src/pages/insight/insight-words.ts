import type { InsightView } from "@byleave/api"
import { boundInWords, type TimeBar, totalOf, waitInWords } from "@byleave/ui"

/** The view's stretches of time with their counts in the order of `decisionSeries`. */
export function decisionBars({ byDecision, step, since, until }: InsightView): readonly TimeBar[] {
  return byDecision.map(({ at, allow, ask, deny, hide }) => ({
    from: Math.max(at, since),
    to: Math.min(at + step, Math.max(until, at + 1)),
    counts: [allow, ask, deny, hide],
  }))
}

export function decisionWords(bars: readonly TimeBar[], when: string): string {
  const totals = [0, 1, 2, 3].map((series) => bars.reduce((sum, bar) => sum + (bar.counts[series] ?? 0), 0))
  const [, asked = 0] = totals
  const calls = totalOf(totals)
  return `${calls.toLocaleString("en")} ${calls === 1 ? "call" : "calls"} ${when}; ${shareInWords(asked, calls)} needed approval.`
}

/** An agent by the name of its token. */
export function agentLabel(principal: string): string {
  return principal === "anonymous" ? "Agents without a token" : principal
}

type Counts = { readonly allow: number; readonly ask: number; readonly deny: number; readonly hide: number }

/** Such as `Agents with the most calls in the last hour. The first accounts for 80%.` */
export function callersWords(what: string, rows: readonly Counts[], when: string): string {
  const calls = ({ allow, ask, deny, hide }: Counts): number => allow + ask + deny + hide
  const all = rows.reduce((sum, row) => sum + calls(row), 0)
  const [first] = rows
  const lead = `${what}s with the most calls ${when}.`
  if (first === undefined || rows.length === 1) return lead
  return `${lead} The first accounts for ${Math.round((calls(first) / all) * 100)}%.`
}

function shareInWords(part: number, whole: number): string {
  if (part === 0) return "none of them"
  if (part === whole) return whole === 1 ? "it" : "all of them"
  const percent = Math.round((part / whole) * 100)
  return `${part.toLocaleString("en")} of them (${percent === 0 ? "under 1" : percent}%)`
}

export function decideWords({ medianMs, p95Ms }: InsightView["timeToDecide"]): string {
  if (medianMs === null) return "No decisions yet."
  if (p95Ms !== null && lengthWords(p95Ms) === lengthWords(medianMs)) {
    return `Nearly all decisions took less than ${lengthWords(medianMs)}.`
  }
  const most = p95Ms === null ? "" : ` 95% took less than ${lengthWords(p95Ms)}.`
  return `Half of the decisions took less than ${lengthWords(medianMs)}.${most}`
}

function lengthWords(ms: number): string {
  return ms < 1_000 ? "a second" : boundInWords(ms)
}

/** A bar of the histogram: from where the one before ended. */
type WaitBar = {
  readonly from: number
  readonly to: number | null
  readonly name: string
  readonly calls: number
}

export function waitBars({ bars }: InsightView["timeToDecide"]): readonly WaitBar[] {
  return bars.map(({ upToMs, calls }, at) => {
    const from = bars[at - 1]?.upToMs ?? 0
    return { from, to: upToMs, name: waitInWords(from, upToMs), calls }
  })
}
