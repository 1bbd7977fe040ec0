import fc from "fast-check"
import { expect, it } from "vitest"
import { anyRules } from "../fixtures/random-policy.ts"
import { type AskRule, combineNeeds } from "./ask-needs.ts"

const anyAsks: fc.Arbitrary<readonly AskRule[]> = anyRules.map((rules) => rules.filter((rule) => rule.effect === "ask"))
const endless = Number.POSITIVE_INFINITY

it("no ask is loosened by another, whatever their order", () => {
  fc.assert(
    fc.property(anyAsks, fc.constantFrom(null, 90_000), (asks, policyWait) => {
      const needs = combineNeeds(asks, policyWait)
      expect(combineNeeds(asks.toReversed(), policyWait)).toEqual(needs)
      for (const { approvals = 1, reviewers = [], wait = policyWait } of asks) {
        expect(needs.approvals).toBeGreaterThanOrEqual(approvals)
        expect(needs.wait ?? endless).toBeLessThanOrEqual(wait ?? endless)
        const known = needs.reviewers.filter((group) => !group.startsWith("("))
        if (reviewers.length > 0) expect(needs.reviewers).not.toHaveLength(0)
        if (reviewers.length > 0) expect(known.every((group) => reviewers.includes(group))).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})
