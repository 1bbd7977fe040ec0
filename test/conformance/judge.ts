import { compare, type Difference } from "./compare.ts"
import type { ExpectedDifference } from "./expected-differences.ts"
import type { SuiteResult } from "./run-suite.ts"

export type Verdict = {
  /** Differences nobody explained. */
  readonly unexpected: readonly Difference[]
  /** Explanations of differences that are gone. */
  readonly stale: readonly ExpectedDifference[]
  readonly explained: readonly (Difference & { readonly reason: string })[]
}

/** Holds what a pairing gave against the direct result and against what is known to differ. */
export function judge(direct: SuiteResult, through: SuiteResult, known: readonly ExpectedDifference[]): Verdict {
  const expected = new Map(known.map((entry) => [keyOf(entry), entry]))
  const differences = compare(direct, through)
  const seen = new Set(differences.map(keyOf))
  return {
    unexpected: differences.filter((difference) => !expected.has(keyOf(difference))),
    stale: known.filter((entry) => !seen.has(keyOf(entry))),
    explained: differences.flatMap((difference) => {
      const entry = expected.get(keyOf(difference))
      return entry === undefined ? [] : [{ ...difference, reason: entry.reason }]
    }),
  }
}

function keyOf({ scenario, check, through }: Pick<Difference, "scenario" | "check" | "through">): string {
  return `${scenario} ${check} ${through}`
}
