import type { ReactNode } from "react"
import look from "./mark.module.css"

export type Tone = "plain" | "yes" | "no" | "wait" | "know"

/** A few words that classify what they stand at; never a colour alone. */
export function Mark({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ReactNode }): ReactNode {
  return (
    <span className={look.mark} data-tone={tone}>
      {children}
    </span>
  )
}

export function Stamp({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode {
  return (
    <span className={look.stamp} data-tone={tone}>
      {children}
    </span>
  )
}
