import type { ExplanationView } from "@byleave/api"
import { Mark, Sentence } from "@byleave/ui"
import type { ReactNode } from "react"
import { placeWords } from "../place-words.ts"
import { EffectMark } from "../tools/effect-mark.tsx"
import look from "./explanation-words.module.css"

type Matched = ExplanationView["matched"][number]

/** A decision explained: what, why, by which rules and answers, and what would change it. */
export function ExplanationWords({ explanation }: { readonly explanation: ExplanationView }): ReactNode {
  const { matched, nearest, wouldChange } = explanation
  return (
    <section className={look.explained} aria-label="Result">
      <p className={look.decision}>
        <EffectMark effect={explanation.effect} />
        <span>
          The call is <Sentence text={explanation.reason} />.
        </span>
      </p>
      {explanation.effect === "ask" && <p className={look.soft}>{demandWords(explanation)}</p>}
      {matched.length > 0 && (
        <>
          <h3>Matching rules and permissions</h3>
          <ul className={look.matched}>
            {matched.map((match) => (
              <MatchedRow key={`${match.of} ${match.id}`} match={match} />
            ))}
          </ul>
        </>
      )}
      {nearest !== null && (
        <p className={look.soft}>
          Closest match:{" "}
          <code>
            <Sentence text={nearest.text} />
          </code>{" "}
          (<Sentence text={placeWords(nearest.where)} />) did not apply because <Sentence text={nearest.why} />.
        </p>
      )}
      {wouldChange.length > 0 && (
        <>
          <h3>What would change it</h3>
          <ul className={look.changes}>
            {wouldChange.map((change) => (
              <li key={change}>
                <Sentence text={change} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function MatchedRow({ match }: { readonly match: Matched }): ReactNode {
  return (
    <li data-decided={match.decided}>
      <span className={look.judged}>
        {match.decided ? <Mark tone="know">Decided</Mark> : <Mark>{judgedWords[match.judged]}</Mark>}
      </span>
      <span>
        <code>
          <Sentence text={match.text} />
        </code>
        <span className={look.soft}>
          {match.of === "rule" ? "Rule in " : ""}
          <Sentence text={match.of === "rule" ? placeWords(match.where) : "A permission"} />
          {match.why !== null && (
            <>
              : <Sentence text={match.why} />
            </>
          )}
        </span>
      </span>
    </li>
  )
}

const judgedWords = { holds: "Matches", fails: "No match", unjudged: "Undetermined" } as const satisfies Record<
  Matched["judged"],
  string
>

function demandWords({ approvals, reviewers, remember }: ExplanationView): string {
  const who = reviewers.length === 0 ? "" : ` from ${reviewers.join(" or ")}`
  const needs =
    approvals === 1 ? `One reviewer${who} must approve it.` : `${approvals} reviewers${who} must approve it.`
  return remember === "never" ? `${needs} It needs approval every time; permissions do not apply.` : needs
}
