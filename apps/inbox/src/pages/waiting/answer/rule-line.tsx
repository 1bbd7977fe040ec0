import { type AcceptedRule, type ApprovalView, acceptRule, type SuggestionView, takeBackRule } from "@byleave/api"
import { type OfferState, RuleOffer } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useClient } from "../../../data/client.tsx"
import { useRead } from "../../../data/use-read.ts"

/** Offers a rule for calls like this one, where somebody has answered them alike again and again. */
export function RuleLine({ approval }: { readonly approval: ApprovalView }): ReactNode {
  const read = useRead("suggestRules")
  const found = read.state === "ready" ? suggestionFor(approval.id, read.value.items) : null
  // An accepted rule is not suggested again, and its Undo stays.
  const [kept, setKept] = useState<{ readonly suggestion: SuggestionView; readonly offer: OfferState } | null>(null)
  const [accepted, setAccepted] = useState<AcceptedRule | null>(null)
  const client = useClient()
  const suggestion = kept?.suggestion ?? found
  if (suggestion === null) return null
  const show = (offer: OfferState): void => setKept({ suggestion, offer })
  const accept = async (): Promise<void> => {
    show({ state: "saving" })
    const answer = await acceptRule(client, suggestion)
    if (!answer.ok) return show({ state: "refused", why: answer.problem.detail })
    setAccepted(answer.value)
    show({ state: "accepted", isWaiting: answer.value.waiting !== null })
  }
  const takeBack = async (): Promise<void> => {
    if (accepted === null) return
    const answer = await takeBackRule(client, accepted)
    if (answer.ok) setKept(null)
    else show({ state: "refused", why: answer.problem.detail })
  }
  return (
    <RuleOffer
      suggestion={suggestion}
      offer={kept?.offer ?? { state: "offered" }}
      onAccept={() => void accept()}
      onUndo={() => void takeBack()}
    />
  )
}

function suggestionFor(id: string, items: readonly SuggestionView[]): SuggestionView | null {
  const isAbout = ({ narrows, waiting, evidence }: SuggestionView) =>
    narrows === null && (waiting.includes(id) || evidence.includes(id))
  return items.find(isAbout) ?? null
}
