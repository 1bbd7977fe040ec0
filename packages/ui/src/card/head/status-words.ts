import type { ApprovalSummaryView, ApprovalView } from "@byleave/api"
import { assertNever } from "@byleave/core"
import { exactTime, lengthInWords } from "../../words/time-words.ts"
import { runNouns } from "./run-nouns.ts"

/** Of a card or of a list: what became of a call is told by both. */
type Told = ApprovalView | ApprovalSummaryView

/** The outcome of a call: a word to stamp on it, and a sentence or two about what happened. */
export type StatusWords = {
  readonly stamp: string
  readonly tone: "plain" | "yes" | "no" | "wait" | "know"
  readonly sentence: string
  /** When it became so. */
  readonly at: number
  /** Nothing can be done about it any more. */
  readonly isGone: boolean
}

/** Null while it waits. */
export function statusWords(approval: Told): StatusWords | null {
  switch (approval.status) {
    case "pending":
      return null
    case "approved":
      // A run takes its calls up by itself.
      return approval.callerWaits || approval.run !== undefined
        ? { stamp: "Allowed", tone: "yes", sentence: allowedSentence(approval), at: approval.at, isGone: false }
        : {
            stamp: "Approved, not run",
            tone: "wait",
            sentence: allowedSentence(approval),
            at: approval.at,
            isGone: false,
          }
    case "running":
      return {
        stamp: "Running",
        tone: "know",
        sentence: runningSentence(approval),
        at: approval.startedAt,
        isGone: false,
      }
    case "succeeded":
      return {
        stamp: "Succeeded",
        tone: "yes",
        sentence: `${startedBy(approval)} It succeeded after ${took(approval)}.${undelivered(approval)}`,
        at: approval.settledAt,
        isGone: true,
      }
    case "failed":
      return {
        stamp: "Failed",
        tone: "no",
        sentence: `${startedBy(approval)} It failed after ${took(approval)}: the tool or its server returned an error.${undelivered(approval)}`,
        at: approval.settledAt,
        isGone: true,
      }
    case "unknown":
      return {
        stamp: "Outcome unknown",
        tone: "wait",
        sentence: `${startedBy(approval)} It was sent, but it is not known whether it ran: ${ended(approval.detail)}`,
        at: approval.settledAt,
        isGone: true,
      }
    case "denied":
      return { stamp: "Denied", tone: "no", sentence: deniedSentence(approval), at: approval.settledAt, isGone: true }
    case "expired":
      return {
        stamp: "Expired",
        tone: "plain",
        sentence: "Nobody decided in time. It did not run, and the agent was told.",
        at: approval.settledAt,
        isGone: true,
      }
    case "cancelled":
      return {
        stamp: "Withdrawn",
        tone: "plain",
        sentence: `It was withdrawn before it ran: ${ended(approval.detail)}`,
        at: approval.settledAt,
        isGone: true,
      }
    case "superseded":
      return {
        stamp: "Tool changed",
        tone: "plain",
        sentence: `It was dropped and did not run: ${ended(approval.detail)}`,
        at: approval.settledAt,
        isGone: true,
      }
    default:
      return assertNever(approval)
  }
}

type With<Status extends ApprovalView["status"]> = Extract<Told, { status: Status }>

function allowedSentence(approval: With<"approved">): string {
  const by = approval.grant === null ? allowedBy(approval.by) : `A permission from ${approval.by} allowed it.`
  if (approval.callerWaits) return `${by} Starting.`
  if (approval.expiresAt === null) return `${by} ${goesOn[runNouns(approval).noun]} once all its calls are decided.`
  return `${by} It has not run. If the agent repeats the call by ${exactTime(approval.expiresAt)}, it runs once without further approval.`
}

const goesOn = { run: "Its agent run goes on", thread: "The reply goes on" } as const

function runningSentence(approval: With<"running">): string {
  const asked = approval.cancelAsked ? " It was told to stop." : ""
  return `${startedBy(approval)} It is running.${asked}`
}

function deniedSentence({ by, refusal }: With<"denied">): string {
  const who =
    by !== null
      ? `${asSubject(by)} denied it.`
      : refusal.by === "reviewer"
        ? "A reviewer denied it."
        : "The policy denied it."
  return `${who} It did not run.`
}

/** Names stay as people wrote them; "you" is the person alone in a browser. */
function asSubject(who: string): string {
  return who === "you" ? "You" : who
}

function allowedBy(who: string): string {
  return `${asSubject(who)} allowed it.`
}

function startedBy({ approvedBy, runNow, undoOf }: Pick<With<"running">, "approvedBy" | "runNow" | "undoOf">): string {
  if (undoOf !== undefined) return `${approvedBy} had the file put back.`
  if (runNow === undefined) return allowedBy(approvedBy)
  return `${allowedBy(approvedBy)} ${runNow.by} had it run while the agent was away.`
}

function took({ startedAt, settledAt }: { readonly startedAt: number; readonly settledAt: number }): string {
  const ms = settledAt - startedAt
  return ms < 1_000 ? `${Math.max(0, ms)} ms` : lengthInWords(ms)
}

function undelivered({
  delivered,
  runNow,
  undoOf,
}: Pick<With<"succeeded">, "delivered" | "runNow" | "undoOf">): string {
  if (delivered || undoOf !== undefined) return ""
  if (runNow === undefined) return " The agent has not received the result yet."
  return ` The agent has not received the result yet: it gets it by repeating the call by ${exactTime(runNow.keptUntil)}.`
}

/** As the end of a sentence. */
function ended(detail: string): string {
  const words = detail.trim()
  if (words === "") return "no reason is known."
  return /[.!?]$/.test(words) ? words : `${words}.`
}
