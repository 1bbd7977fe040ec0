import type { ReactNode } from "react"
import { Choice, TextField } from "../../parts/field.tsx"
import type { LastingDraft, ReadLasting } from "./lasting.ts"
import look from "./lasting-fields.module.css"

const ends: ReadonlyArray<{ readonly value: LastingDraft["ends"]; readonly label: string }> = [
  { value: "30 minutes", label: "After 30 minutes" },
  { value: "1 hour", label: "After 1 hour" },
  { value: "8 hours", label: "After 8 hours" },
  { value: "at", label: "At a specific time" },
]

type LastingFieldsProps = {
  /** When it expires if no time is chosen. */
  readonly otherwise: string
  readonly draft: LastingDraft
  readonly read: ReadLasting
  readonly onChange: (draft: LastingDraft) => void
}

/** When a remembered answer ends, and how often it may be used. */
export function LastingFields({ otherwise, draft, read, onChange }: LastingFieldsProps): ReactNode {
  const problemOf = (field: "at" | "uses") => (!read.ok && read.field === field ? { error: read.problem } : {})
  return (
    <div className={look.fields}>
      <Choice
        label="Expires"
        value={draft.ends}
        options={[{ value: "never", label: otherwise }, ...ends]}
        onChange={(event) => onChange({ ...draft, ends: event.target.value as LastingDraft["ends"] })}
      />
      {draft.ends === "at" && (
        <TextField
          label="Expires at"
          type="datetime-local"
          {...problemOf("at")}
          value={draft.at}
          onChange={(event) => onChange({ ...draft, at: event.target.value })}
        />
      )}
      <TextField
        label="Maximum uses"
        hint="Leave empty for unlimited."
        inputMode="numeric"
        {...problemOf("uses")}
        value={draft.uses}
        onChange={(event) => onChange({ ...draft, uses: event.target.value })}
      />
    </div>
  )
}
