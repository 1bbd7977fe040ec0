import { Choice, capitalized, Sentence } from "@byleave/ui"
import type { ReactNode } from "react"
import { ChangeList } from "../review/review.tsx"
import look from "./carry-rules.module.css"
import { LossList } from "./loss-list.tsx"
import type { CheckedImport, Prefer } from "./use-import-rules.ts"

type ImportReportProps = {
  readonly checked: CheckedImport
  readonly prefer: Prefer
  readonly onPrefer: (prefer: Prefer) => void
}

const choices: readonly { readonly value: Prefer; readonly label: string }[] = [
  { value: "stricter", label: "Keep both; the stricter one decides" },
  { value: "imported", label: "The imported rule replaces mine" },
  { value: "current", label: "My rule stays" },
]

/** The changes an import makes, its contradictions with the rules in effect, and the rules it does not carry over exactly. */
export function ImportReport({ checked, prefer, onPrefer }: ImportReportProps): ReactNode {
  const { rules, preview } = checked
  return (
    <div className={look.report}>
      <p>
        Read as rules of <strong>{rules.language?.name}</strong>.
        {!checked.isChange && " Your rules say all of it already; nothing changes."}
      </p>
      {(rules.conflicts.length > 0 || prefer !== "stricter") && (
        <section aria-label="Contradictions">
          <h3 className={look.title}>{`Contradictions with your rules: ${rules.conflicts.length}`}</h3>
          <ul className={look.list}>
            {rules.conflicts.slice(0, mostShown).map(({ imported, current, outcome }) => (
              <li key={`${imported} ${current}`} className={look.loss}>
                <p>
                  <code>
                    <Sentence text={imported} />
                  </code>{" "}
                  contradicts{" "}
                  <code>
                    <Sentence text={current} />
                  </code>
                </p>
                <p className="aside soft">
                  <Sentence text={`${capitalized(outcome)}.`} />
                </p>
              </li>
            ))}
          </ul>
          <Choice
            label="Where rules contradict each other"
            options={choices}
            value={prefer}
            onChange={(event) => onPrefer(event.currentTarget.value as Prefer)}
          />
        </section>
      )}
      {preview !== null && (
        <>
          <ChangeList
            title="Allows more"
            words="Waits for approval before it takes effect."
            changes={preview.widens}
            tone="widens"
          />
          <ChangeList title="Restricts" words="Takes effect immediately." changes={preview.tightens} tone="tightens" />
          <ChangeList title="Other changes" changes={preview.other} tone="other" />
        </>
      )}
      <LossList losses={rules.losses} />
    </div>
  )
}

const mostShown = 100
