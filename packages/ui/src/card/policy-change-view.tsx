import type { CurrentContentView } from "@byleave/api"
import type { ReactNode } from "react"
import { DiffView } from "./diff-view.tsx"
import look from "./policy-change.module.css"
import type { PolicyChangeWords } from "./policy-change.ts"
import { Section } from "./section.tsx"
import { LongText, Sentence } from "./shown-value.tsx"

const groups = [
  { kind: "widens", sign: "+", title: "Lets more through, once you allow it" },
  { kind: "servers", sign: "±", title: "Starts or reaches servers otherwise, once you allow it" },
  { kind: "tightens", sign: "−", title: "Lets less through; in force already" },
] as const

/** What an edited configuration changes, as sentences: what waits for this answer, and what holds already. */
export function PolicyChangeView({
  change,
  current,
}: {
  readonly change: PolicyChangeWords
  /** Both texts, where they can be shown. */
  readonly current: CurrentContentView | null
}): ReactNode {
  return (
    <Section title="What would change">
      <p className={look.file}>
        The configuration was edited: <LongText text={change.file} name="file" />
      </p>
      {groups.map(({ kind, sign, title }) =>
        change[kind].length === 0 ? null : (
          <div key={kind} className={look.group}>
            <p className={look.title}>{title}</p>
            <ul>
              {change[kind].map((sentence) => (
                <li key={sentence} className={look.item} data-kind={kind}>
                  <span className={look.sign} aria-hidden="true">
                    {sign}
                  </span>
                  <span>
                    <Sentence text={sentence} />
                  </span>
                </li>
              ))}
            </ul>
          </div>
        ),
      )}
      <Texts current={current} />
    </Section>
  )
}

function Texts({ current }: { readonly current: CurrentContentView | null }): ReactNode {
  if (current?.kind === "unavailable") {
    return (
      <p className={look.file}>
        The text itself is not shown: <Sentence text={current.why} />
      </p>
    )
  }
  if (current?.kind !== "configuration") return null
  const { before, after } = current
  if (before === after) {
    return (
      <p className={look.file}>
        The text itself is as it was accepted; what it takes from elsewhere, such as the environment, is not.
      </p>
    )
  }
  return (
    <div className={look.group}>
      <p className={look.title}>The text, as it was accepted last and as it is now</p>
      {hasMask(before + after) && (
        <p className={look.file}>Secrets are masked; one that has changed stands under another number.</p>
      )}
      <DiffView before={before} after={after} label="The configuration, as accepted last and as it is now" />
    </div>
  )
}

function hasMask(text: string): boolean {
  return text.includes("‹secret-")
}
