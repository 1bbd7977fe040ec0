import type { CurrentContentView } from "@byleave/api"
import type { ReactNode } from "react"
import { LongText, Sentence } from "../arguments/shown-value.tsx"
import { Section } from "../section.tsx"
import { DiffView } from "./diff-view.tsx"
import look from "./policy-change.module.css"
import type { PolicyChangeWords } from "./policy-change.ts"

const groups = [
  { kind: "widens", sign: "+", title: "Allows more, once approved" },
  { kind: "servers", sign: "±", title: "Changes how servers are started or reached, once approved" },
  { kind: "tightens", sign: "−", title: "Restricts; already in effect" },
] as const

type PolicyChangeViewProps = {
  readonly change: PolicyChangeWords
  /** Both texts, where they can be shown. */
  readonly current: CurrentContentView | null
}

/** The changes in an edited configuration, as sentences: those that wait for this answer, and those in force already. */
export function PolicyChangeView({ change, current }: PolicyChangeViewProps): ReactNode {
  return (
    <Section title="Changes">
      <p className="soft">
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
      <p className="soft">
        The text is not shown: <Sentence text={current.why} />
      </p>
    )
  }
  if (current?.kind !== "configuration") return null
  const { before, after } = current
  if (before === after) {
    return (
      <p className="soft">
        The text itself is unchanged; values it takes from elsewhere, such as environment variables, have changed.
      </p>
    )
  }
  return (
    <div className={look.group}>
      <p className={look.title}>Accepted text and current text</p>
      {hasMask(before + after) && <p className="soft">Secrets are masked; a changed secret has a different number.</p>}
      <DiffView before={before} after={after} label="Accepted and current configuration" />
    </div>
  )
}

function hasMask(text: string): boolean {
  return text.includes("‹secret-")
}
