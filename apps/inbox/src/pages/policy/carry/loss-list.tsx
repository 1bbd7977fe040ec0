import type { RuleLossView } from "@byleave/api"
import { capitalized, Mark, Sentence, ShownText } from "@byleave/ui"
import type { ReactNode } from "react"
import look from "./carry-rules.module.css"
import { lossWords, placeOf } from "./loss-words.ts"

/** Every rule that is not carried exactly: where it stands, why, and what it became. */
export function LossList({ losses }: { readonly losses: readonly RuleLossView[] }): ReactNode {
  if (losses.length === 0) return <p className="soft">Every rule is carried over exactly.</p>
  return (
    <section aria-label="Not carried over exactly">
      <h3 className={look.title}>{`Not carried over exactly: ${losses.length}`}</h3>
      <ul className={look.list}>
        {losses.slice(0, mostShown).map((loss, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries of a report have no other name than their place
          <li key={at} className={look.loss}>
            <p className={look.head}>
              <Mark tone={lossWords[loss.kind].tone}>{lossWords[loss.kind].words}</Mark>
              <code className={look.rule}>
                <ShownText text={loss.written} />
              </code>
            </p>
            <p className="aside">
              <Sentence text={`${capitalized(loss.why)}. Became: ${loss.became}.`} />
            </p>
            <p className={`aside soft ${look.place}`}>
              <ShownText text={placeOf(loss)} />
            </p>
          </li>
        ))}
      </ul>
      {losses.length > mostShown && (
        <p className="aside">{`${losses.length - mostShown} more. \`byleave import\` and \`byleave export\` list all of them.`}</p>
      )}
    </section>
  )
}

/** A report of thousands of entries would make the page slow. */
const mostShown = 200
