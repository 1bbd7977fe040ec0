import type { SuggestionView } from "@byleave/api"
import { Button, Sentence, ShownText } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { EffectMark } from "../permissions/tools/effect-mark.tsx"
import { withoutVerb } from "../permissions/without-verb.ts"
import look from "./suggestions.module.css"

/** Puts a rule into the text, in place of others. */
export type OnPut = (rule: string, replaces: readonly string[]) => void

type OfferedRuleProps = {
  readonly offered: Pick<SuggestionView, "rule" | "words" | "effect" | "replaces">
  readonly benefit?: string
  /** The calls that it is drawn from, and what they have to do with it. */
  readonly calls: readonly string[]
  readonly callsWords: string
  readonly onPut: OnPut
}

/** More links to calls than these help nobody to judge a rule. */
const mostLinks = 50

/** A rule that somebody may put among the others: in words, as it would be written, and the calls behind it. */
export function OfferedRule({ offered, benefit, calls, callsWords, onPut }: OfferedRuleProps): ReactNode {
  const { rule, words, effect, replaces } = offered
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
      {benefit !== undefined && <p className={look.soft}>{benefit}</p>}
      <details className={look.soft}>
        <summary>{callsWords}</summary>
        <ul className={look.evidence}>
          {calls.slice(0, mostLinks).map((id, at) => (
            <li key={id}>
              <Link to="/activity/$id" params={{ id }}>
                Call {at + 1}
              </Link>
            </li>
          ))}
        </ul>
        {calls.length > mostLinks && <p>and {calls.length - mostLinks} more</p>}
      </details>
      <Button size="small" aria-label={`Add to editor: ${words}`} onClick={() => onPut(rule, replaces)}>
        Add to editor
      </Button>
    </li>
  )
}
