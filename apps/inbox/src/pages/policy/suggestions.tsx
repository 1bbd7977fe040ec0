import type { SuggestionsView, SuggestionView } from "@byleave/api"
import { toolName } from "@byleave/core"
import { Button, Sentence, ShownText } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useRead } from "../../data/use-read.ts"
import { EffectMark } from "../permissions/tools/effect-mark.tsx"
import { withoutVerb } from "../permissions/without-verb.ts"
import { benefitWords, evidenceWords, weekWords } from "./evidence-words.ts"
import look from "./suggestions.module.css"

/** A week's answers can suggest dozens of rules; those that save most come first. */
const fewAtFirst = 6

/** Rules that would have answered as people did. Quiet: nobody has to read it. */
export function Suggestions({ onPut }: { readonly onPut: OnPut }): ReactNode {
  const read = useRead("suggestRules")
  const [isWhole, setIsWhole] = useState(false)
  if (read.state !== "ready" || read.value.items.length === 0) return null
  const { items, week } = read.value
  const hidden = isWhole ? 0 : Math.max(0, items.length - fewAtFirst)
  return (
    <section className={look.box} aria-label="Suggested rules">
      <div className={look.lead}>
        <h2 className={look.title}>Suggested rules</h2>
        <p>Based on your past decisions. Nothing takes effect until you save it.</p>
        <Week week={week} />
      </div>
      <ul className={look.list}>
        {items.slice(0, items.length - hidden).map((suggestion) => (
          <Suggestion key={suggestion.id} suggestion={suggestion} onPut={onPut} />
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
      <p>
        Asked about most:{" "}
        {week.tools.map(({ tool, asked }, at) => (
          <span key={toolName(tool)}>
            {at > 0 && ", "}
            <code>
              <ShownText text={toolName(tool)} />
            </code>{" "}
            ({asked})
          </span>
        ))}
      </p>
    </>
  )
}

/** Puts a rule into the text, in place of others. */
export type OnPut = (rule: string, replaces: readonly string[]) => void
type SuggestionProps = { readonly suggestion: SuggestionView; readonly onPut: OnPut }

function Suggestion({ suggestion, onPut }: SuggestionProps): ReactNode {
  const { rule, words, effect, evidence, replaces } = suggestion
  return (
    <li className={look.suggestion}>
      <p className={look.words}>
        <EffectMark effect={effect} of="rule" /> <Sentence text={withoutVerb(words)} />
      </p>
      <pre className={look.rule}>
        <code>
          <ShownText text={rule} />
        </code>
      </pre>
      <p className={look.soft}>{benefitWords(suggestion)}</p>
      <details className={look.soft}>
        <summary>{evidenceWords(suggestion)}</summary>
        <ul className={look.evidence}>
          {evidence.map((id, at) => (
            <li key={id}>
              <Link to="/activity/$id" params={{ id }}>
                Call {at + 1}
              </Link>
            </li>
          ))}
        </ul>
      </details>
      <Button size="small" aria-label={`Add to editor: ${words}`} onClick={() => onPut(rule, replaces)}>
        Add to editor
      </Button>
    </li>
  )
}
