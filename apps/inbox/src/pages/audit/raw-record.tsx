import type { AuditRecordView } from "@byleave/api"
import { sizeInWords } from "@byleave/core"
import { ExactJson, MaskedJson } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import look from "./raw-record.module.css"

/** The record as it is kept, for whoever wants to check: drawn only when it is opened. */
export function RawRecord({ record }: { readonly record: AuditRecordView }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={look.raw} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {`Record ${record.seq}: `}
        <code>{record.type}</code>
      </summary>
      {isOpen && <RawText record={record} />}
    </details>
  )
}

export function RawText({ record }: { readonly record: AuditRecordView }): ReactNode {
  return (
    <dl className={look.text}>
      <dt>Hash</dt>
      <dd>
        <code>{record.hash}</code>
      </dd>
      <dt>Writer, sequence, step</dt>
      <dd>
        <code>{`${record.writer}, ${record.seq}, ${record.step}`}</code>
      </dd>
      <dt>Body</dt>
      <dd>
        <ExactJson value={record.body} secrets={null} label="Record body" />
      </dd>
      {record.payload === null && record.payloadBytes !== null && (
        <>
          <dt>Stored with it</dt>
          <dd>{`${sizeInWords(record.payloadBytes)}, shown on the call's page.`}</dd>
        </>
      )}
      {record.payload !== null && (
        <>
          <dt>Stored with it</dt>
          <dd>
            <MaskedJson value={record.payload} label="Stored with the record" />
          </dd>
        </>
      )}
    </dl>
  )
}
