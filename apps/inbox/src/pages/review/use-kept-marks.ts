import { shownDigest } from "@byleave/api/page"
import type { ReviewCall } from "@byleave/ui"
import { useEffect, useRef, useState } from "react"
import { marksOf, readMarks, writeMarks } from "./kept-marks.ts"
import type { ReviewDraft } from "./use-review.ts"

/** Keeps the marks of a review in this tab while they are not sent, and puts them back after a reload. */
export function useKeptMarks(
  sessionKey: string,
  calls: readonly ReviewCall[],
  review: Pick<ReviewDraft, "markOf" | "restore">,
  isSent: boolean,
): void {
  const [kept] = useState(() => readMarks(sessionStorage, sessionKey))
  const digests = useDigests(calls)
  const restored = useRef(new Set<string>())
  const { restore } = review
  useEffect(() => {
    for (const each of calls) {
      const digest = digests.get(each.key)
      const mark = digest === undefined ? undefined : kept.get(digest)
      if (mark === undefined || restored.current.has(each.key)) continue
      restored.current.add(each.key)
      restore(each, mark)
    }
  })
  useEffect(() => {
    if (isSent) return writeMarks(sessionStorage, sessionKey, new Map())
    // Until every call is read, marks that are not put back yet would be lost.
    const known = calls.flatMap((each) => {
      const digest = digests.get(each.key)
      return digest === undefined ? [] : [{ digest, holdsSecret: each.holdsSecret, ...review.markOf(each) }]
    })
    const digestsKnown = new Set(known.map(({ digest }) => digest))
    const unread = [...kept].filter(([digest]) => !digestsKnown.has(digest))
    writeMarks(sessionStorage, sessionKey, new Map([...unread, ...marksOf(known)]))
  })
  useEffect(() => () => writeMarks(sessionStorage, sessionKey, new Map()), [sessionKey])
}

/** The digest of each call as it is shown, once it is computed. */
function useDigests(calls: readonly ReviewCall[]): ReadonlyMap<string, string> {
  const [digests, setDigests] = useState<ReadonlyMap<string, string>>(new Map())
  const asked = useRef(new Set<string>())
  useEffect(() => {
    for (const { key, call, isTooLong } of calls) {
      if (isTooLong || asked.current.has(key)) continue
      asked.current.add(key)
      void shownDigest(call).then((digest) => setDigests((before) => new Map(before).set(key, digest)))
    }
  }, [calls])
  return digests
}
