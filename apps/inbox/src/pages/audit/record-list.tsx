import type { AuditRecordView } from "@byleave/api"
import { Mark, Sentence, ShownText } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { memo, type ReactNode, useState } from "react"
import { byDay, clockTime, dayInWords } from "../activity/merge-newest.ts"
import list from "../places/long-list.module.css"
import { RawText } from "./raw-record.tsx"
import look from "./record-list.module.css"
import { isOurReason, recordReason, recordSentence, recordTone, recordTool, typeWords } from "./record-words.ts"
import { SentenceText } from "./sentence.tsx"

/** Records by day, a line each; a line opens to the record itself. */
export function RecordList({ records }: { readonly records: readonly AuditRecordView[] }): ReactNode {
  return byDay(records, dayInWords).map((day) => (
    <section key={day.key} aria-label={day.label}>
      <h2 className={list.day}>{day.label}</h2>
      <ul>
        {day.items.map((record) => (
          <RecordRow key={`${record.writer}/${record.seq}`} record={record} />
        ))}
      </ul>
    </section>
  ))
}

const RecordRow = memo(function RecordRow({ record }: { readonly record: AuditRecordView }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <li className={list.item}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={`${list.row} ${look.row}`}>
          <time className={look.time} dateTime={new Date(record.at).toISOString()}>
            {clockTime(record.at)}
          </time>
          <span className={`one-line ${look.told}`}>
            <SentenceText sentence={recordSentence(record)} />
            <Beside words={recordTool(record)} />
            <Beside words={recordReason(record)} isOurs={isOurReason(record)} />
          </span>
          <span className={look.type}>
            <Mark tone={recordTone(record)}>{typeWords(record)}</Mark>
          </span>
        </summary>
        {isOpen && <Opened record={record} />}
      </details>
    </li>
  )
})

function Beside({ words, isOurs = false }: { readonly words: string | null; readonly isOurs?: boolean }): ReactNode {
  if (words === null) return null
  return <span className="aside"> {isOurs ? <Sentence text={words} /> : <ShownText text={words} />}</span>
}

function Opened({ record }: { readonly record: AuditRecordView }): ReactNode {
  const reason = recordReason(record)
  return (
    <div className={look.opened}>
      {reason !== null && <p>{isOurReason(record) ? <Sentence text={reason} /> : <ShownText text={reason} />}</p>}
      {record.subject !== null && (
        <p>
          <Link className={look.story} to="/activity/$id" params={{ id: record.subject }}>
            View call
          </Link>
        </p>
      )}
      <RawText record={record} />
    </div>
  )
}
