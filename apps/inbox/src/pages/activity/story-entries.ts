import type { ApprovalView, AuditRecordView, StoryView } from "@byleave/api"
import type { JsonValue } from "@byleave/core"
import type { Tone } from "@byleave/ui"
import { numberIn, type Sentence, textIn } from "../audit/record-parts.ts"
import { recordReason, recordSentence, recordTone } from "../audit/record-words.ts"

/** One thing that happened to a call. `record` null: it is not in the audit, the approval says so. */
export type StoryEntry = {
  readonly key: string
  readonly at: number | null
  readonly sentence: Sentence
  readonly tone: Tone
  /** Words given with it. `by` null: they are ours. */
  readonly reason: { readonly text: string; readonly by: string | null } | null
  readonly record: AuditRecordView | null
}

/** A call's story, oldest first, from what was recorded; what has no record is told from the approval. */
export function storyEntries({ records, approval }: Pick<StoryView, "records" | "approval">): readonly StoryEntry[] {
  const told = records.map((record, at) => entryOf(record, records.slice(0, at)))
  return [...told, ...stillOf(approval)]
}

function entryOf(record: AuditRecordView, before: readonly AuditRecordView[]): StoryEntry {
  const reason = recordReason(record)
  return {
    key: `${record.writer}/${record.seq}`,
    at: record.at,
    sentence: sentenceOf(record, before),
    tone: recordTone(record),
    reason: reason === null ? null : { text: reason, by: isAnswer(record) ? textIn(record.body, "by") : null },
    record,
  }
}

function isAnswer({ type }: AuditRecordView): boolean {
  return type === "approval.voted" || type === "approval.approved" || type === "approval.denied"
}

function sentenceOf(record: AuditRecordView, before: readonly AuditRecordView[]): Sentence {
  if (record.type !== "approval.expired") return recordSentence(record)
  const wasAllowed = before.some(({ type }) => type === "approval.approved")
  return [wasAllowed ? "Approved, but the agent did not retry in time." : "Nobody decided in time. The call expired."]
}

const time = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" })

/** Where it stands now, as far as no record says it. */
function stillOf(approval: ApprovalView | null): readonly StoryEntry[] {
  if (approval === null) return []
  const still = stillWords(approval)
  return still === null
    ? []
    : [{ key: "now", at: null, sentence: [still.words], tone: still.tone, reason: null, record: null }]
}

function stillWords(approval: ApprovalView): { readonly words: string; readonly tone: Tone } | null {
  switch (approval.status) {
    case "pending":
      return {
        words:
          approval.expiresAt === null
            ? "Waiting for a decision."
            : `Waiting for a decision until ${time.format(approval.expiresAt)}.`,
        tone: "wait",
      }
    case "approved":
      if (approval.expiresAt === null) return { words: "It runs when its run continues.", tone: "wait" }
      return {
        words:
          approval.expiresAt === null
            ? "Its agent run goes on once all its calls are decided."
            : `The agent stopped waiting. If it makes the same call again before ${time.format(approval.expiresAt)}, the call runs.`,
        tone: "wait",
      }
    case "running":
      return { words: "Running.", tone: "know" }
    case "succeeded":
    case "failed":
      return approval.delivered
        ? { words: "The agent received the result.", tone: "plain" }
        : { words: "The agent has not received the result yet because it stopped waiting.", tone: "wait" }
    case "unknown":
    case "denied":
    case "expired":
    case "cancelled":
    case "superseded":
      return null
  }
}

/** The result of the call, where it is kept. */
export function resultOf(
  records: readonly AuditRecordView[],
): { readonly kind: "result" | "error"; readonly value: JsonValue; readonly wholeBytes: number | null } | null {
  const run = records.findLast(({ type }) => type === "run.succeeded" || type === "run.failed")
  if (run === undefined || run.payload === null) return null
  return {
    kind: run.type === "run.succeeded" ? "result" : "error",
    value: run.payload,
    wholeBytes: numberIn(run.body, "wholeBytes"),
  }
}

/** The facts of the judgement that a story's page shows beside it. */
export function judgementOf(records: readonly AuditRecordView[]): {
  readonly policy: string | null
  readonly mode: string | null
  readonly rerunOf: string | null
} {
  const body = records.find(({ type }) => type.startsWith("call."))?.body ?? {}
  return { policy: textIn(body, "policy"), mode: textIn(body, "mode"), rerunOf: textIn(body, "rerunOf") }
}
