/** A call's story, told by its records alone: what was decided of it, by whom, and what became of it. */
import type { CallView } from "@byleave/api"
import {
  type AuditBodies,
  type AuditType,
  type Effect,
  type JsonObject,
  previewOf,
  type RecordWithPayload,
  type RefusalCode,
  readStoredJson,
} from "@byleave/core"
import { isForCard } from "./inbox-caller.ts"
import { bodyOf } from "./read-record.ts"

export const effectOf = {
  "call.hidden": "hide",
  "call.denied": "deny",
  "call.asked": "ask",
  "call.allowed": "allow",
} as const satisfies Partial<Record<AuditType, Effect>>

export type JudgedType = keyof typeof effectOf
export const judgedTypes = Object.keys(effectOf) as readonly JudgedType[]
export type JudgedRecord = RecordWithPayload & { readonly type: JudgedType }
export type JudgedCallBody = AuditBodies["call.asked"]

export function isJudged(record: RecordWithPayload): record is JudgedRecord {
  return record.type in effectOf
}

/** A call with what is told of it besides. */
export type ToldCall = {
  readonly view: Omit<CallView, "sessionKey" | "failure">
  /** Of the no it got, if it got one. */
  readonly code: RefusalCode | null
}

export type Telling = {
  readonly judged: JudgedRecord
  readonly body: JudgedCallBody
  /** The other records of the call, in any order; payloads are not needed. */
  readonly others: readonly RecordWithPayload[]
  /** Whether the process that wrote a record is still there: what it had begun may then still end. */
  readonly isAlive: (writer: string) => boolean
}

export function toldCall({ judged, body, others, isAlive }: Telling): ToldCall {
  const records = others.toSorted((a, b) => a.step - b.step || a.at - b.at)
  const decided = decisionIn(records)
  const last = records.at(-1)
  const isHeld = judged.type === "call.asked"
  return {
    view: {
      id: judged.subject ?? "",
      at: judged.at,
      kind: body.kind,
      tool: { server: body.server, tool: body.tool },
      principal: body.principal,
      session: { principal: body.principal, id: body.session },
      effect: effectOf[judged.type],
      why: body.reason,
      rule: body.rule ?? body.grant,
      allowedBy: judged.type === "call.allowed" ? allowedBy(body) : null,
      approval: isHeld ? judged.subject : null,
      outcome: outcomeOf(judged, last, isAlive),
      answer: isHeld ? answerIn(records) : null,
      decidedBy: decided?.by ?? null,
      reason: decided?.reason ?? null,
      decidedAfterMs: decided === null ? null : Math.max(0, decided.at - judged.at),
      tookMs: tookMs(judged, records),
      argsBytes: body.wholeBytes ?? judged.payloadBytes,
      preview: previewIn(judged.payload),
      ...(isForCard(body) ? { forCard: true } : {}),
    },
    code: body.refusal ?? endCode(last),
  }
}

/** A secret is recorded as a mark, whose length says nothing. */
export function previewIn(payload: string | null): CallView["preview"] {
  const args = argsIn(payload)
  return args === null ? null : previewWithoutSecrets(args)
}

export function previewWithoutSecrets(args: JsonObject): NonNullable<CallView["preview"]> {
  return previewOf(args).map((one) => (one.isSecret ? { ...one, text: "hidden" } : one))
}

/** The arguments a judgement was recorded with; null once retention has removed them. */
export function argsIn(payload: string | null): JsonObject | null {
  return payload === null ? null : (readStoredJson(payload) as JsonObject)
}

function allowedBy({ because }: JudgedCallBody): CallView["allowedBy"] {
  if (because === "rule" || because === "grant" || because === "mode") return because
  return "default"
}

/** A permit that was taken back or ran out was approved before: the first answer counts. */
function answerIn(records: readonly RecordWithPayload[]): NonNullable<CallView["answer"]> {
  const first = records.find(({ type }) => type.startsWith("approval."))
  if (first?.type === "approval.approved") return "approved"
  return first?.type === "approval.denied" ? "denied" : "none"
}

type Decided = { readonly by: string; readonly at: number; readonly reason: string | null }

/** A person's decision; null if policy or time decided. */
function decisionIn(records: readonly RecordWithPayload[]): Decided | null {
  for (const record of records) {
    if (record.type !== "approval.approved" && record.type !== "approval.denied") continue
    const { by, reason } = bodyOf({ ...record, type: record.type })
    if (by !== null) return { by, at: record.at, reason: reason === "" ? null : reason }
  }
  return null
}

const endOf = {
  "run.started": "running",
  "run.succeeded": "succeeded",
  "run.failed": "failed",
  "run.unknown": "unknown",
  "approval.denied": "denied",
  "approval.expired": "expired",
  "approval.cancelled": "cancelled",
  "approval.superseded": "superseded",
} as const satisfies Partial<Record<AuditType, CallView["outcome"]>>

/** Approved while nobody waits, it waits for its caller. A call that policy allowed runs from the moment it was judged. */
function outcomeOf(
  judged: JudgedRecord,
  last: RecordWithPayload | undefined,
  isAlive: Telling["isAlive"],
): CallView["outcome"] {
  if (judged.type === "call.denied" || judged.type === "call.hidden") return "refused"
  if (last !== undefined && last.type in endOf) return endOf[last.type as keyof typeof endOf]
  if (judged.type === "call.asked") return "waiting"
  return isAlive(judged.writer) ? "running" : "unknown"
}

function endCode(last: RecordWithPayload | undefined): RefusalCode | null {
  switch (last?.type) {
    case "approval.denied":
    case "approval.expired":
    case "approval.cancelled":
    case "approval.superseded":
      return bodyOf({ ...last, type: last.type }).refusal
    default:
      return null
  }
}

function tookMs(judged: JudgedRecord, records: readonly RecordWithPayload[]): number | null {
  const started = judged.type === "call.allowed" ? judged : records.find(({ type }) => type === "run.started")
  const ended = records.find(({ type }) => type === "run.succeeded" || type === "run.failed")
  return started === undefined || ended === undefined ? null : Math.max(0, ended.at - started.at)
}
