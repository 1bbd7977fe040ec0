import type { SuggestionView } from "@byleave/api"
import type { ReactNode } from "react"
import { Button } from "../parts/button.tsx"
import { ShownText } from "../parts/shown-text.tsx"
import { countOf } from "./arguments/cut-text.ts"
import look from "./rule-offer.module.css"

/** The state of an offer: made, being saved, saved, or not saved for a reason. */
export type OfferState =
  | { readonly state: "offered" }
  | { readonly state: "saving" }
  | { readonly state: "accepted"; readonly isWaiting: boolean }
  | { readonly state: "refused"; readonly why: string }

type RuleOfferProps = {
  readonly suggestion: SuggestionView
  readonly offer: OfferState
  readonly onAccept: () => void
  readonly onUndo: () => void
}

/** A quiet line that offers to make a rule of what somebody has answered again and again. */
export function RuleOffer({ suggestion, offer, onAccept, onUndo }: RuleOfferProps): ReactNode {
  const isAccepted = offer.state === "accepted"
  return (
    <aside className={look.offer} aria-label="Suggested rule">
      <div className={look.words}>
        <p role="status" className={look.said}>
          {isAccepted ? acceptedWords(offer.isWaiting) : offerWords(suggestion)}
        </p>
        <RuleText rule={suggestion.rule} />
        {suggestion.replaces.length > 0 && (
          <>
            <p>It replaces {countOf(suggestion.replaces.length, "rule")}:</p>
            {suggestion.replaces.map((rule) => (
              <RuleText key={rule} rule={rule} />
            ))}
          </>
        )}
        {offer.state === "refused" && (
          <p className={look.said} role="alert">
            {offer.why}
          </p>
        )}
      </div>
      {isAccepted ? (
        <Button size="small" onClick={onUndo}>
          Undo
        </Button>
      ) : (
        <Button size="small" busy={offer.state === "saving" && "Adding…"} onClick={onAccept}>
          Make it a rule
        </Button>
      )}
    </aside>
  )
}

/** The rule itself, which the request holds: a sentence about it would be somebody else's. */
function RuleText({ rule }: { readonly rule: string }): ReactNode {
  return (
    <pre className={look.rule}>
      <code>
        <ShownText text={rule} />
      </code>
    </pre>
  )
}

function acceptedWords(isWaiting: boolean): string {
  return isWaiting
    ? "Rule added. It takes effect once the change is approved."
    : "Rule added. It applies to later calls; this one still needs your answer."
}

/** `You allowed 14 calls like this in 5 sessions. Make it a rule?` */
function offerWords({ approved, denied, sessions }: SuggestionView): string {
  const [did, count] = approved > 0 ? (["allowed", approved] as const) : (["denied", denied] as const)
  return `You ${did} ${countOf(count, "call")} like this in ${countOf(sessions, "session")}. Make it a rule?`
}
