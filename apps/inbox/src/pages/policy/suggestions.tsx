import type { SuggestionsView, SuggestionView } from "@byleave/api"
import { Button, Sentence, ShownText } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useRead } from "../../data/use-read.ts"
import { EffectMark } from "../permissions/tools/effect-mark.tsx"
import { counted, effectWords, evidenceWords } from "./evidence-words.ts"
import look from "./suggestions.module.css"

/** Rules that would have answered as people did. Quiet: nobody has to read it. */
export function Suggestions({ onPut }: { readonly onPut: (rule: string) => void }): ReactNode {
  const read = useRead("suggestRules")
  if (read.state !== "ready" || read.value.items.length === 0) return null
  return (
    <section className={look.box} aria-label="Suggested rules">
      <h2 className={look.title}>Based on your past decisions</h2>
      <p className={look.soft}>Rules that match the decisions you made. Nothing takes effect until you save it.</p>
      <p className={look.soft}>{weekWords(read.value.week)}</p>
      <ul>
        {read.value.items.map((suggestion) => (
          <Suggestion key={suggestion.rule} suggestion={suggestion} onPut={onPut} />
        ))}
      </ul>
    </section>
  )
}

function weekWords({ asked, approved, denied, saved }: SuggestionsView["week"]): string {
  const spared = saved === 0 ? "" : ` These rules would have answered ${saved} of them.`
  return `In the last seven days you were asked about ${counted(asked, "call")}: ${approved} allowed, ${denied} denied.${spared}`
}

type SuggestionProps = { readonly suggestion: SuggestionView; readonly onPut: (rule: string) => void }

function Suggestion({ suggestion, onPut }: SuggestionProps): ReactNode {
  const { rule, words, effect, evidence } = suggestion
  return (
    <li className={look.suggestion}>
      <p>
        <EffectMark effect={effect} of="rule" /> <Sentence text={words} />
      </p>
      <pre className={look.rule}>
        <code>
          <ShownText text={rule} />
        </code>
      </pre>
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
      <p className={look.soft}>{effectWords(suggestion)}</p>
      <Button size="small" aria-label={`Add to editor: ${words}`} onClick={() => onPut(rule)}>
        Add to editor
      </Button>
    </li>
  )
}
