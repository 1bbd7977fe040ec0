import { showText } from "@byleave/core"
import { type ReactNode, useEffect, useRef } from "react"
import { Button } from "../../parts/button.tsx"
import { Choice, LongField, TextField } from "../../parts/field.tsx"
import { ShownText } from "../../parts/shown-text.tsx"
import look from "./argument-editor.module.css"
import type { ArgumentChange, ArgumentField } from "./argument-fields.ts"
import type { ArgumentEdit } from "./use-argument-edit.ts"

type ArgumentEditorProps = {
  readonly edit: ArgumentEdit
  /** They were answered as they are. */
  readonly isOff: boolean
}

/** The call's arguments to change before it is allowed, with what has changed. */
export function ArgumentEditor({ edit, isOff }: ArgumentEditorProps): ReactNode {
  const textOf = (field: ArgumentField): string | null =>
    edit.texts.has(field.key) ? (edit.texts.get(field.key) ?? null) : field.text
  const sent = edit.fields.filter((field) => textOf(field) !== null)
  const absent = edit.fields.filter((field) => textOf(field) === null)
  const whole = edit.problems.get("")
  const place = useRef<HTMLFieldSetElement>(null)
  // It stands at the end of the card, most often out of sight: whoever asked for it is taken there.
  useEffect(() => {
    place.current?.scrollIntoView({ block: "start" })
    place.current?.querySelector<HTMLElement>("input, textarea, select, button")?.focus({ preventScroll: true })
  }, [])
  return (
    <fieldset ref={place} className={look.editor} disabled={isOff} data-own-fields="">
      <legend className={look.legend}>Edit arguments</legend>
      <p className="aside">The call runs with these arguments, and the agent is told that you edited them.</p>
      {sent.map((field) => (
        <div key={field.key} className={look.field}>
          <FieldInput
            field={field}
            text={textOf(field) ?? ""}
            problem={edit.problems.get(field.key)}
            onChange={(text) => edit.change(field.key, text)}
          />
          {!field.required && (
            <Button size="small" tone="quiet" onClick={() => edit.change(field.key, null)}>
              Remove {showText(field.key)}
            </Button>
          )}
        </div>
      ))}
      {absent.length > 0 && (
        <div className={look.absent}>
          <span className="aside">Not included:</span>
          {absent.map((field) => (
            <Button key={field.key} size="small" onClick={() => edit.change(field.key, beginning(field))}>
              Add {showText(field.key)}
            </Button>
          ))}
        </div>
      )}
      {whole !== undefined && (
        <p className={look.problem} role="alert">
          {showText(whole)}
        </p>
      )}
      <Changes changes={edit.changes} />
    </fieldset>
  )
}

/** The first value of a field that was not sent. */
function beginning(field: ArgumentField): string {
  if (field.text !== null) return field.text
  if (field.kind === "boolean") return "false"
  if (field.kind === "choice") return field.options[0] ?? ""
  return ""
}

/** A choice of texts needs no quotes to tell them from numbers. */
function plainly(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json
}

type FieldInputProps = {
  readonly field: ArgumentField
  readonly text: string
  readonly problem: string | undefined
  readonly onChange: (text: string) => void
}

function FieldInput({ field, text, problem, onChange }: FieldInputProps): ReactNode {
  const label = showText(field.key)
  const error = problem === undefined ? {} : { error: showText(problem) }
  switch (field.kind) {
    case "text":
      return <TextField label={label} {...error} value={text} onChange={(event) => onChange(event.target.value)} />
    case "number":
      return (
        <TextField
          label={label}
          {...error}
          inputMode="decimal"
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case "boolean":
      return (
        <Choice
          label={label}
          {...error}
          value={text}
          options={[
            { value: "true", label: "true" },
            { value: "false", label: "false" },
          ]}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case "choice":
      return (
        <Choice
          label={label}
          {...error}
          value={text}
          options={field.options.map((value) => ({ value, label: showText(plainly(value)) }))}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case "long":
      return <LongField label={label} {...error} value={text} onChange={(event) => onChange(event.target.value)} />
    case "json":
      return (
        <LongField
          label={label}
          hint="JSON."
          {...error}
          spellCheck={false}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )
  }
}

function Changes({ changes }: { readonly changes: readonly ArgumentChange[] }): ReactNode {
  if (changes.length === 0) return <p className="aside">No changes yet.</p>
  return (
    <div className={look.changes}>
      <h3>Your changes</h3>
      <dl>
        {changes.map((change) => (
          <div key={change.key} className={look.change}>
            <dt>
              <ShownText text={change.key} />
            </dt>
            <dd>
              <del>
                <ShownText text={change.before ?? "not set"} />
              </del>
              <span className="only-read-aloud"> becomes </span>
              <span aria-hidden="true"> → </span>
              <ins>
                <ShownText text={change.after ?? "removed"} />
              </ins>
            </dd>
          </div>
        ))}
      </dl>
      <Button size="small" onClick={({ currentTarget }) => showCard(currentTarget)}>
        Show what would change
      </Button>
    </div>
  )
}

/** The effect of the edited call stands at the head of its card, out of sight while its arguments are typed. */
function showCard(button: HTMLElement): void {
  button.closest("article")?.scrollIntoView({ block: "start" })
}
