import { ChevronDown } from "lucide-react"
import { type ComponentProps, type ReactNode, useId } from "react"
import look from "./field.module.css"

type Labelled = { readonly label: string; readonly hint?: string | undefined; readonly error?: string | undefined }

export function TextField({
  label,
  hint,
  error,
  ...rest
}: Labelled & Omit<ComponentProps<"input">, "id" | "className">): ReactNode {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <input
        {...rest}
        id={id}
        className={look.input}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-words`}
      />
    </Field>
  )
}

export function Choice({
  label,
  hint,
  error,
  options,
  ...rest
}: Labelled &
  Omit<ComponentProps<"select">, "id" | "className" | "children"> & {
    readonly options: ReadonlyArray<{ readonly value: string; readonly label: string }>
  }): ReactNode {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <span className={look.choice}>
        <select {...rest} id={id} className={look.input} aria-describedby={`${id}-words`}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden="true" />
      </span>
    </Field>
  )
}

export function LongField({
  label,
  hint,
  error,
  ...rest
}: Labelled & Omit<ComponentProps<"textarea">, "id" | "className">): ReactNode {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <textarea
        {...rest}
        id={id}
        className={look.long}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-words`}
      />
    </Field>
  )
}

/** A box to tick, its whole line a target. */
export function Tick({
  label,
  words,
  ...rest
}: { readonly label: ReactNode; readonly words?: ReactNode } & Omit<
  ComponentProps<"input">,
  "type" | "className"
>): ReactNode {
  return (
    <label className={look.tick}>
      <input {...rest} type="checkbox" />
      <span>
        {label}
        {words !== undefined && <span className={look.hint}>{words}</span>}
      </span>
    </label>
  )
}

type FieldProps = {
  readonly id: string
  readonly label: string
  readonly hint: string | undefined
  readonly error: string | undefined
  readonly children: ReactNode
}

function Field({ id, label, hint, error, children }: FieldProps): ReactNode {
  return (
    <div className={look.field}>
      <label htmlFor={id}>{label}</label>
      {children}
      <span
        id={`${id}-words`}
        className={error === undefined ? look.hint : look.error}
        role={error === undefined ? undefined : "alert"}
      >
        {error ?? hint}
      </span>
    </div>
  )
}
