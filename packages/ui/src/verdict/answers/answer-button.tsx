import { ChevronDown } from "lucide-react"
import type { ReactNode } from "react"
import { Button, type ButtonProps } from "../../parts/button.tsx"
import look from "./answer-button.module.css"

export type AnswerButtonProps = Omit<ButtonProps, "children"> & {
  readonly label: string
  /** The effect of pressing it, in a few words: nobody should have to press it to find out. */
  readonly words?: string
  /** Whether Ctrl+Enter with the focus here still means Allow once. */
  readonly answer?: "allow-once" | "other"
  /** It opens a list of more. */
  readonly opens?: boolean
}

export function AnswerButton({ label, words, answer = "other", opens = false, ...rest }: AnswerButtonProps): ReactNode {
  return (
    <Button {...rest} data-answer={answer}>
      <span className={look.answer}>
        <span className={look.label}>{label}</span>
        {words !== undefined && <span className={look.words}>{words}</span>}
      </span>
      {opens && <ChevronDown className={look.more} aria-hidden="true" />}
    </Button>
  )
}
