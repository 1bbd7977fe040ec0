import type { KeyboardEvent, ReactNode, Ref } from "react"
import { LongField } from "../../parts/field.tsx"
import { longestReason } from "./longest-reason.ts"
import { type PressedKey, sendsReason } from "./sends-reason.ts"

export type ReasonFieldProps = {
  readonly ref?: Ref<HTMLTextAreaElement>
  /** Who reads the reason. */
  readonly hint: string
  readonly value: string
  readonly onChange: (reason: string) => void
  /** Enter was pressed. */
  readonly onSend: () => void
}

/** The reason for a denial. Enter sends it; Ctrl+Enter does not, because it allows elsewhere. */
export function ReasonField({ ref, hint, value, onChange, onSend }: ReasonFieldProps): ReactNode {
  return (
    <LongField
      ref={ref}
      label="Reason (optional)"
      hint={`${hint} Press Enter to deny, Shift+Enter for a new line.`}
      maxLength={longestReason}
      rows={3}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (!sendsReason(pressed(event))) return
        event.preventDefault()
        onSend()
      }}
    />
  )
}

function pressed(event: KeyboardEvent): PressedKey {
  return {
    key: event.key,
    hasModifier: event.ctrlKey || event.metaKey || event.shiftKey || event.altKey,
    isRepeat: event.repeat,
    isComposing: event.nativeEvent.isComposing,
  }
}
