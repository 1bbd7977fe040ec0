import type { AuditRecordView } from "@byleave/api"
import { Mark, ShownText } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { memo, type ReactNode } from "react"
import { byDay, clockTime, dayInWords } from "../activity/merge-newest.ts"
import { RawRecord } from "./raw-record.tsx"
import look from "./record-list.module.css"
import { recordReason, recordSentence, recordTone } from "./record-words.ts"
import { SentenceText } from "./sentence.tsx"

export function RecordList({ records }: { readonly records: readonly AuditRecordView[] }): ReactNode {
  return byDay(records, dayInWords).map((day) => (
    <section key={day.key} aria-label={day.label}>
      <h2 className={look.day}>{day.label}</h2>
      <ul>
        {day.items.map((record) => (
          <RecordRow key={`${record.writer}/${record.seq}`} record={record} />
        ))}
      </ul>
    </section>
  ))
}

const RecordRow = memo(function RecordRow({ record }: { readonly record: AuditRecordView }): ReactNode {
  const reason = recordReason(record)
  return (
    <li className={look.row}>
      <time className={look.time} dateTime={new Date(record.at).toISOString()}>
        {clockTime(record.at)}
      </time>
      <div className={look.told}>
        <p>
          <SentenceText sentence={recordSentence(record)} />
          {record.subject !== null && (
            <>
              {" "}
              <Link className={look.story} to="/activity/$id" params={{ id: record.subject }}>
                The whole story
              </Link>
            </>
          )}
        </p>
        {reason !== null && (
          <p className={look.reason}>
            <ShownText text={reason} />
          </p>
        )}
        <RawRecord record={record} />
      </div>
      <span className={look.type}>
        <Mark tone={recordTone(record.type)}>{typeWords(record.type)}</Mark>
      </span>
    </li>
  )
})

/** `approval.denied` as `approval denied`. */
function typeWords(type: AuditRecordView["type"]): string {
  return type.replace(".", " ")
}
