import type { AuditRecordView } from "@byleave/api"
import { ShownText } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import look from "./raw-record.module.css"

/** The record as it is kept, for whoever wants to check: drawn only when it is opened. */
export function RawRecord({ record }: { readonly record: AuditRecordView }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={look.raw} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Record <code>{`${record.type} ${record.writer}/${record.seq}`}</code>
      </summary>
      {isOpen && <RawText record={record} />}
    </details>
  )
}

function RawText({ record }: { readonly record: AuditRecordView }): ReactNode {
  return (
    <dl className={look.text}>
      <dt>Hash</dt>
      <dd>
        <code>{record.hash}</code>
      </dd>
      <dt>Writer, number, step</dt>
      <dd>
        <code>{`${record.writer}, ${record.seq}, ${record.step}`}</code>
      </dd>
      <dt>Body</dt>
      <dd>
        <JsonText value={record.body} label="The record's body" />
      </dd>
      {record.payload !== null && (
        <>
          <dt>Kept with it</dt>
          <dd>
            <JsonText value={record.payload} label="What is kept with the record" />
          </dd>
        </>
      )}
    </dl>
  )
}

/** JSON that others wrote, whole, in a box of its own. */
export function JsonText({ value, label }: { readonly value: unknown; readonly label: string }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={look.json} tabIndex={0} aria-label={label}>
      <pre>
        <ShownText text={JSON.stringify(value, null, 2)} />
      </pre>
    </section>
  )
}
