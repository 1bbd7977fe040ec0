/**
 * Counts over a time, folded from its records, newest first: an answer or a failure is met before the call it belongs to. Nothing is kept of
 * calls that nobody was asked about but counts by agent, session and server, whose number is bounded, and failures until their call is met: a week of a
 * million calls takes no more memory than a quiet one. Everything is counted by when its call was made, as lists of calls are: what a call from before
 * the time came to within it is none of it. A failure that came after the time has ended is not counted.
 */
import type { InsightView } from "@byleave/api"
import type { AuditRecord, AuditType, RefusalCode, ToolRef } from "@byleave/core"
import { effectOf, type JudgedType } from "./call-view-of.ts"
import { isCardRead } from "./card-reads.ts"
import { bodyOf } from "./read-record.ts"
import { createTally } from "./tally.ts"

export const foldedTypes = [
  "call.allowed",
  "call.asked",
  "call.denied",
  "call.hidden",
  "approval.approved",
  "approval.denied",
  "approval.expired",
  "approval.cancelled",
  "approval.superseded",
  "run.failed",
] as const satisfies readonly AuditType[]

/** The record types for the end of a held call, as far as people are involved. */
export const answerTypes = foldedTypes.filter((type) => type.startsWith("approval."))

export type InsightFold = {
  readonly take: (record: AuditRecord) => void
  /** Held calls within the time of which no answer has been met. */
  readonly unanswered: () => readonly string[]
  /** The newest failed call of each tool that is in the view: its error has the server's words. */
  readonly lastFailures: () => readonly string[]
  readonly view: (wordsOf: (call: string) => string | null) => InsightView
}

export type TimeSpan = { readonly since: number; readonly until: number }

/** About as many bars as fit a screen. */
const bars = 60
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440].map((minutes) => minutes * 60_000)
const dayMs = 24 * 60 * 60_000
/** As many rows as a plot shows. */
const mostRows = 20

type Answer = {
  readonly at: number
  readonly by: string | null
  readonly effect: "approved" | "denied" | "none"
  /** Why the call did not run after all. */
  readonly code: RefusalCode | null
}
type Asked = { approved: number; denied: number; open: number; readonly tool: ToolRef }
type Decider = { approved: number; denied: number }
type Failing = { calls: number; readonly tool: ToolRef; readonly last: string }
type Judgement = AuditRecord & { readonly type: JudgedType }

/** `keyOf` gives the name that events and pages know a session by. */
export function foldInsight({ since, until }: TimeSpan, keyOf: (session: SessionPart) => string): InsightFold {
  const step = stepOf(until - since)
  // The bars begin at `since`: the request states when a day begins for the reader.
  const start = since
  const byDecision = Array.from({ length: Math.max(1, Math.ceil((until - start) / step)) }, (_, index) => ({
    at: start + index * step,
    ...{ allow: 0, ask: 0, deny: 0, hide: 0 },
  }))
  const answers = new Map<string, Answer>()
  const open = new Map<string, { readonly at: number; readonly asked: Asked }>()
  const asked = new Map<string, Asked>()
  const deciders = new Map<string, Decider>()
  const denials = new Map<RefusalCode, number>()
  const waits: number[] = []
  const agents = createTally<{ readonly principal: string }>()
  const sessions = createTally<{ readonly session: SessionPart; readonly sessionKey: string }>()
  const servers = createTally<{ readonly server: string }>()
  /** Failed calls whose judgement is yet to be met. */
  const failed = new Set<string>()
  const failing = new Map<string, Failing>()
  const fail = (subject: string, tool: ToolRef): void => {
    const key = JSON.stringify([tool.server, tool.tool])
    const known = failing.get(key)
    if (known !== undefined) known.calls += 1
    else if (failing.size < mostFailing) failing.set(key, { tool, calls: 1, last: subject })
  }
  const mostFailed = (): readonly Failing[] =>
    [...failing.values()].sort((a, b) => b.calls - a.calls).slice(0, mostRows)
  const count = (record: Judgement): void => {
    const effect = effectOf[record.type]
    const bar = byDecision[Math.floor((record.at - start) / step)]
    if (bar !== undefined) bar[effect] += 1
    const { principal, session: id, server, tool } = bodyOf(record)
    const session = { principal, id }
    agents.count(principal, () => ({ principal }), effect)
    sessions.count(JSON.stringify([principal, id]), () => ({ session, sessionKey: keyOf(session) }), effect)
    servers.count(server, () => ({ server }), effect)
    if (record.subject !== null && failed.delete(record.subject)) fail(record.subject, { server, tool })
  }
  const deny = (code: RefusalCode | null): void => {
    if (code !== null) denials.set(code, (denials.get(code) ?? 0) + 1)
  }
  const settle = (at: number, of: Asked, answer: Answer): void => {
    deny(answer.code)
    if (answer.effect === "none") of.open += 1
    else of[answer.effect] += 1
    if (answer.by === null || answer.effect === "none") return
    waits.push(Math.max(0, answer.at - at))
    const decider = deciders.get(answer.by) ?? { approved: 0, denied: 0 }
    decider[answer.effect] += 1
    deciders.set(answer.by, decider)
  }
  const ask = (record: AuditRecord & { readonly type: "call.asked" }): void => {
    const { server, tool } = bodyOf(record)
    const key = JSON.stringify([server, tool])
    const of = asked.get(key) ?? { tool: { server, tool }, approved: 0, denied: 0, open: 0 }
    asked.set(key, of)
    const subject = record.subject ?? ""
    const answer = answers.get(subject)
    answers.delete(subject)
    if (answer === undefined) {
      of.open += 1
      open.set(subject, { at: record.at, asked: of })
    } else settle(record.at, of, answer)
  }
  const answered = (record: AuditRecord & { readonly type: `approval.${"approved" | Refusing}` }): void => {
    const { by, refusal } = bodyOf(record)
    const subject = record.subject ?? ""
    // A permit that was taken back was approved before: the answer is the first one, and is met last; why it did not run is met first.
    const code = answers.get(subject)?.code ?? (record.type === "approval.approved" ? null : refusal)
    answers.set(subject, { at: record.at, by, effect: effectIn(record.type), code })
  }
  const settleLate = (): void => {
    for (const [subject, { at, asked: of }] of open) {
      const answer = answers.get(subject)
      if (answer === undefined) continue
      open.delete(subject)
      of.open -= 1
      settle(at, of, answer)
    }
  }
  return {
    take: (record) => {
      if (isCardRead(record)) return
      switch (record.type) {
        case "call.allowed":
          return count({ ...record, type: record.type })
        case "call.hidden":
        case "call.denied":
          count({ ...record, type: record.type })
          return deny(bodyOf({ ...record, type: record.type }).refusal)
        case "call.asked":
          count({ ...record, type: record.type })
          return ask({ ...record, type: record.type })
        case "approval.approved":
        case "approval.denied":
        case "approval.expired":
        case "approval.cancelled":
        case "approval.superseded":
          return answered({ ...record, type: record.type })
        case "run.failed":
          if (record.subject !== null) failed.add(record.subject)
          return
        default:
      }
    },
    unanswered: () => [...open.keys()].filter((subject) => !answers.has(subject)),
    lastFailures: () => mostFailed().map(({ last }) => last),
    view: (wordsOf) => {
      settleLate()
      return {
        since,
        until,
        step,
        byDecision,
        timeToDecide: timesOf(waits),
        asked: [...asked.values()].sort((a, b) => totalOf(b) - totalOf(a)).slice(0, mostRows),
        deciders: [...deciders]
          .map(([reviewer, decided]) => ({ reviewer, ...decided }))
          .sort((a, b) => b.approved + b.denied - a.approved - a.denied),
        denials: [...denials]
          .map(([code, calls]) => ({ code, words: denialWords[code], calls }))
          .sort((a, b) => b.calls - a.calls),
        agents: agents.most(mostRows),
        sessions: sessions.most(mostRows),
        servers: servers.most(mostRows),
        failures: mostFailed().map(({ tool, calls, last }) => ({ tool, calls, words: wordsOf(last) })),
      }
    },
  }
}

type SessionPart = { readonly principal: string; readonly id: string }

/** Servers name their tools, and may name many. */
const mostFailing = 10_000

type Refusing = "denied" | "expired" | "cancelled" | "superseded"

function effectIn(type: `approval.${"approved" | Refusing}`): Answer["effect"] {
  if (type === "approval.approved") return "approved"
  return type === "approval.denied" ? "denied" : "none"
}

/** Whole minutes, hours or days, so that bars begin where clocks do. */
function stepOf(span: number): number {
  const least = span / bars
  return steps.find((step) => step >= least) ?? Math.ceil(least / dayMs) * dayMs
}

function totalOf({ approved, denied, open }: Omit<Asked, "tool">): number {
  return approved + denied + open
}

const bounds = [5, 15, 30, 60, 5 * 60, 15 * 60, 60 * 60, 8 * 60 * 60].map((seconds) => seconds * 1_000)

function timesOf(waits: readonly number[]): InsightView["timeToDecide"] {
  const sorted = waits.toSorted((a, b) => a - b)
  const upTo = (bound: number): number => sorted.filter((wait) => wait <= bound).length
  const within = bounds.map((bound, index) => upTo(bound) - (index === 0 ? 0 : upTo(bounds[index - 1] ?? 0)))
  const beyond = sorted.length - upTo(bounds.at(-1) ?? 0)
  return {
    medianMs: rankOf(sorted, 0.5),
    p95Ms: rankOf(sorted, 0.95),
    bars: [...bounds.map((upToMs, index) => ({ upToMs, calls: within[index] ?? 0 })), { upToMs: null, calls: beyond }],
  }
}

/** The nearest that as many are at most. */
function rankOf(sorted: readonly number[], part: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null
}

const denialWords = {
  hidden: "Hidden by a rule",
  "denied-by-rule": "Denied by a rule",
  "denied-by-grant": "Denied by a permission",
  "other-program": "Program not accepted yet",
  "definition-rejected": "New tool definition rejected",
  unattended: "Denied while away",
  "denied-by-reviewer": "Denied by a reviewer",
  expired: "No decision in time",
  cancelled: "Withdrawn before a decision",
  superseded: "Tool changed while waiting",
  "too-many-waiting": "Too many calls were waiting",
  "too-much-held": "Too much was waiting",
  "denied-too-often": "Denied too often before",
  "store-unavailable": "Could not be recorded",
} as const satisfies Record<RefusalCode, string>
