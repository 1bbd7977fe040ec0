/**
 * The people who may decide, as of one epoch: removing one of them moves it, and so does replacing the policy, which says who is in which group.
 *
 * I1. The vote of a reviewer who was removed counts no more, also once somebody else has their name.
 * I2. A vote counts for a group only while its reviewer is in it.
 */
import type { Vote } from "../approval/approval.ts"
import { asGiven, type GroupsNow } from "../approval/votes.ts"
import type { Policy } from "../policy/rules/rule.ts"
import { isReviewersAnswer } from "./callers/lapsed-yes.ts"
import type { Store } from "./store.ts"

/** Of documents: the id is the reviewer's. */
export const reviewerKind = "reviewer"
const pageSize = 500

type Person = { readonly since: unknown; readonly groups: readonly unknown[] }
export type ReviewersNow = ReadonlyMap<string, Person>

export async function readReviewers(store: Pick<Store, "documents">): Promise<ReviewersNow> {
  const found = new Map<string, Person>()
  for (let after: string | undefined; ; ) {
    // They never expire, so that any time does.
    const from = after === undefined ? {} : { after }
    const page = await store.documents(reviewerKind, { limit: pageSize, now: 0, ...from })
    for (const { id, value } of page) {
      found.set(id, { since: value.createdAt, groups: Array.isArray(value.groups) ? value.groups : [] })
    }
    after = page.at(-1)?.id
    if (page.length < pageSize) return found
  }
}

/** Where the store keeps no reviewers, the program that holds the gate knows its people, and votes count as they were given. */
export function groupsAmong(people: ReviewersNow, { members }: Pick<Policy, "members">): GroupsNow {
  if (people.size === 0) return asGiven
  const configured = new Set(members)
  return (vote) => {
    // Programs and agents' clients are no reviewers; whether their yes counts is asked elsewhere.
    if (!isReviewersAnswer(vote.reviewer)) return vote.groups
    const person = people.get(vote.reviewer)
    if (person === undefined || !isOf(person, vote)) return null
    if (members === undefined) return vote.groups
    return vote.groups.filter((group) => person.groups.includes(group) || configured.has(`${group}/${vote.reviewer}`))
  }
}

/** Votes that do not say whose they are were given before they did: then the time tells. */
function isOf({ since }: Person, vote: Vote): boolean {
  return vote.since === undefined ? typeof since === "number" && vote.at >= since : vote.since === since
}
