import type { ReactNode } from "react"
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
export function PolicyChangeView({ change }: { readonly change: PolicyChangeWords }): ReactNode {
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
    </Section>
  )
}
