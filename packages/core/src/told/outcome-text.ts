/**
 * The text about a call for the agent's model, in sentences it can act on. Every part that hands an outcome on uses these words, so that a
 * model reads the same through the gateway and inside an agent's own program.
 *
 * I1. Names that servers and agents chose are shown with their control characters escaped, and in quotes where they could pass for words of ours.
 * I2. Of what nobody can tell it is never said that it did not run.
 */
import type { Refusal } from "../approval/refusal.ts"
import { shownName } from "../call/text/quoted.ts"
import type { OutcomeNote } from "../gate/gate.ts"

/** `name`: the call as people know it, such as `files(write_file)`. `inbox`: where people decide, where that is known. */
export type CallWording = { readonly name: string; readonly inbox?: string }

export function refusalText(refusal: Refusal, wording: CallWording): string {
  return `${whatWas(refusal, wording)} ${whatNow(refusal, wording)}`
}

export function unknownText(detail: string, { name }: Pick<CallWording, "name">): string {
  return `The outcome of ${shownName(name)} is unknown: ${detail} It may or may not have taken effect, so do not simply repeat it. Check first, or tell the user.`
}

/** Still waiting: what to do meanwhile, and how to come back. `inbox` may be the address of this very call. */
export function ticketText(wording: CallWording): string {
  return `${shownName(wording.name)} is waiting for a person to approve it and has given no result yet. Do not retry it now, and do not try to do this another way. Continue with other work, or tell the user to decide${atInbox(wording)}. Once it is approved, repeat this exact call to get its result.`
}

/** A sentence for each note the model has to know of. */
export function noteTexts(notes: readonly OutcomeNote[]): readonly string[] {
  return notes.flatMap((note) => noteText[note] ?? [])
}

const noteText = {
  edited: "A reviewer edited the arguments of this call before approving it; this is the result of the edited call.",
  "run-by-reviewer":
    "A reviewer had this call run while you were away; this is the result of that run. It was not run again.",
  "delivered-late": null,
} as const satisfies Record<OutcomeNote, string | null>

/** Where nobody refused it, the reason names the call and says already that it did not run. */
function whatWas({ by, code, reason }: Refusal, { name }: CallWording): string {
  if (code === "expired" || code === "cancelled" || code === "superseded") return sentence(reason)
  const who = code === "store-unavailable" ? "It could not be evaluated" : sayBy[by]
  if (reason === "") return `${shownName(name)} was not run. ${who} and gave no reason.`
  return `${shownName(name)} was not run. ${who}: ${sentence(reason)}`
}

const sayBy = {
  policy: "The policy denied it",
  reviewer: "A reviewer denied it",
  timeout: "Nobody decided in time",
  limit: "A limit denied it",
} as const satisfies Record<Refusal["by"], string>

/** The model's alternatives (and the person the user can turn to). */
function whatNow(refusal: Refusal, wording: CallWording): string {
  switch (refusal.code) {
    case "hidden":
      return ""
    case "denied-by-rule":
    case "denied-by-grant":
    case "definition-rejected":
    case "other-program":
      return `Do not try to do the same another way. Continue without it, or tell the user, who can change what is allowed${atInbox(wording)}.`
    case "unattended":
      return `Nobody is available to approve calls in this session. Continue without it; the user can allow it${atInbox(wording)}.`
    case "denied-by-reviewer":
      return "Do not repeat the call as it is, and do not try to do the same another way. Continue, taking the reason into account, or ask the user."
    case "expired":
      return "Repeat the call if it is still needed, or tell the user that nobody decided."
    case "cancelled":
      return "Call it again if it is still needed."
    case "superseded":
      return "Call it again, if it is still needed, to have it evaluated again."
    case "too-many-waiting":
    case "too-much-held":
    case "denied-too-often":
      return `Continue with other work, or tell the user, who can decide${atInbox(wording)}.`
    case "store-unavailable":
      return "Try again later, or tell the user."
  }
}

function atInbox({ inbox }: CallWording): string {
  return inbox === undefined ? "" : ` at ${inbox}`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
