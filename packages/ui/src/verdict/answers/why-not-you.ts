import type { ApprovalView } from "@byleave/api"
import { showText } from "@byleave/core"
import { votesSoFar } from "./answers-offered.ts"

/** Whoever looks at the card. */
export type Me = { readonly id: string; readonly groups: readonly string[] }

/** Why this person's yes would not count, or counts already; null where it would. Everybody may deny. The service decides, here it is said before. */
export function whyNotYou(approval: ApprovalView, me: Me | null): string | null {
  if (me === null || approval.status !== "pending") return null
  const { groups, selfApproval } = approval.needs
  if (approval.principal.owner === me.id && !selfApproval) {
    return "This call uses your own token, so somebody else must allow it. You can deny it."
  }
  if (groups.length > 0 && !groups.some((group) => me.groups.includes(group))) {
    return `You are not in ${groups.map(showText).join(" or ")}, so you cannot allow this call. You can deny it.`
  }
  const votes = votesSoFar(approval)
  if (votes === null || !votes.given.includes(me.id)) return null
  return votes.missing === 1
    ? "You have allowed it. It runs when one more person allows it; you can still deny it."
    : `You have allowed it. It runs when ${votes.missing} more people allow it; you can still deny it.`
}
