/**
 * The marks of a review that is not sent, kept in this tab so that a reload does not lose them.
 *
 * I1. A mark is found again only for the call as it was shown: the key is the digest of what was shown, and a changed call has another.
 * I2. Nothing of a call is kept beside its digest, but for comments, which quote lines: those of a call with a secret are not kept.
 */
import type { FileComment, ReviewAnswer } from "@byleave/ui"

export type KeptMark = {
  readonly answer: ReviewAnswer | null
  readonly reason: string
  readonly comments: readonly (readonly [string, FileComment])[]
}

/** By the digest of the call as it was shown. */
export type KeptMarks = ReadonlyMap<string, KeptMark>

type Tab = Pick<Storage, "getItem" | "setItem" | "removeItem">

const placeOf = (sessionKey: string): string => `byleave.review.${sessionKey}`

export function readMarks(tab: Tab, sessionKey: string): KeptMarks {
  try {
    const kept: unknown = JSON.parse(tab.getItem(placeOf(sessionKey)) ?? "[]")
    return new Map(Array.isArray(kept) ? kept.filter(isEntry) : [])
  } catch {
    return new Map()
  }
}

function isEntry(entry: unknown): entry is [string, KeptMark] {
  if (!Array.isArray(entry) || typeof entry[0] !== "string") return false
  const { answer, reason, comments } = (entry[1] ?? {}) as Partial<KeptMark>
  const isAnswer = answer === null || answer === "allow" || answer === "deny"
  return isAnswer && typeof reason === "string" && Array.isArray(comments)
}

export function writeMarks(tab: Tab, sessionKey: string, marks: KeptMarks): void {
  try {
    if (marks.size === 0) tab.removeItem(placeOf(sessionKey))
    else tab.setItem(placeOf(sessionKey), JSON.stringify([...marks]))
  } catch {
    // The tab keeps no more: the review goes on, and a reload asks first.
  }
}

/** A call of the review with what was said to it. */
export type MarkedCall = KeptMark & { readonly digest: string; readonly holdsSecret: boolean }

export function marksOf(calls: readonly MarkedCall[]): KeptMarks {
  return new Map(
    calls.flatMap(({ digest, holdsSecret, answer, reason, comments }) => {
      const kept = { answer, reason, comments: holdsSecret ? [] : comments }
      return answer === null && reason === "" && kept.comments.length === 0 ? [] : [[digest, kept] as const]
    }),
  )
}
