import type { SuggestionsView } from "@byleave/api"
import { toolName } from "@byleave/core"
import { Button } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useRead } from "../../data/use-read.ts"
import { CallCounts } from "./call-counts.tsx"
import { benefitWords, evidenceWords, weekWords } from "./evidence-words.ts"
import { OfferedRule, type OnPut } from "./offered-rule.tsx"
import look from "./suggestions.module.css"

/** A week's answers can suggest dozens of rules; those that save most come first. */
const fewAtFirst = 6

/** Rules that would have answered as people did. Quiet: nobody has to read it. */
export function Suggestions({ onPut }: { readonly onPut: OnPut }): ReactNode {
  const read = useRead("suggestRules")
  const [isWhole, setIsWhole] = useState(false)
  if (read.state !== "ready" || read.value.items.length === 0) return null
  const { items, isCut, week } = read.value
  const hidden = isWhole ? 0 : Math.max(0, items.length - fewAtFirst)
  return (
    <section className={look.box} aria-label="Suggested rules">
      <div className={look.lead}>
        <h2 className={look.title}>Suggested rules</h2>
        <p>Based on your past decisions. Nothing takes effect until you save it.</p>
        <Week week={week} />
        {isCut && <p>There was more to look at than time allowed. Other rules may be missing.</p>}
      </div>
      <ul className={look.list}>
        {items.slice(0, items.length - hidden).map((suggestion) => (
          <OfferedRule
            key={suggestion.id}
            offered={suggestion}
            benefit={benefitWords(suggestion)}
            calls={suggestion.evidence}
            callsWords={evidenceWords(suggestion)}
            onPut={onPut}
          />
        ))}
      </ul>
      {hidden > 0 && (
        <div>
          <Button size="small" onClick={() => setIsWhole(true)}>
            Show {hidden} more
          </Button>
        </div>
      )}
    </section>
  )
}

function Week({ week }: { readonly week: SuggestionsView["week"] }): ReactNode {
  if (week.asked === 0) return null
  return (
    <>
      <p>{weekWords(week)}</p>
      <CallCounts name="Asked about most" counts={week.tools.map(({ tool, asked }) => [toolName(tool), asked])} />
    </>
  )
}
