import type { Hasher } from "@byleave/core"

/** Puts something in a digest's place that says nothing of what was digested; equal digests stay equal. */
export type Blind = (digest: string) => string

/** The key must be random, made for one removal, and kept nowhere: a short text is soon guessed from its plain digest. */
export function createBlind(forgottenKey: string, hasher: Hasher): Blind {
  return (digest) => hasher.hmacSha256(forgottenKey, digest)
}
