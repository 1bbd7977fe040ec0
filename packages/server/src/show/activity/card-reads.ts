import type { AuditRecord, RecordWithPayload, Store } from "@byleave/core"
import { effectOf, isJudged, type JudgedType, judgedTypes } from "./call-view-of.ts"
import { inboxPrefix, isForCard } from "./inbox-caller.ts"
import { bodyOf } from "./read-record.ts"

/** Which of the calls that records tell of a page made to show a card. Only a judgement names its caller, so those that are not at hand are read. */
export async function cardReads(store: Store, records: readonly RecordWithPayload[]): Promise<ReadonlySet<string>> {
  const judged = records.filter(isJudged)
  const known = new Set(judged.map(({ subject }) => subject))
  const others = records.flatMap(({ type, subject }) =>
    subject !== null && type.startsWith("run.") && !known.has(subject) ? [subject] : [],
  )
  const subjects = [...new Set(others)]
  const found =
    subjects.length === 0
      ? []
      : await store.records({ subjects, types: judgedTypes, limit: subjects.length, payloads: false })
  return new Set([...judged, ...found].flatMap((record) => (isCardRead(record) ? [record.subject ?? ""] : [])))
}

/** Whether a judgement is of a call that a page made to show a card. Most are not, and their bodies need not be read to tell. */
export function isCardRead(record: AuditRecord): boolean {
  if (!(record.type in effectOf) || !record.text.includes(inboxPrefix)) return false
  return isForCard(bodyOf({ ...record, type: record.type as JudgedType }))
}
