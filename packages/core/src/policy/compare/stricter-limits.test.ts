import fc from "fast-check"
import { expect, it } from "vitest"
import { anyPolicy } from "../fixtures/random-policy.ts"
import { defaultLimits, type Limits } from "../rules/rule.ts"
import { compareLimits } from "./compare-limits.ts"
import { stricterLimits } from "./stricter-limits.ts"

const anyLimits = anyPolicy.map(({ limits }) => limits)

it("stops whatever either of the two would stop, and no more than needed for it", () => {
  fc.assert(
    fc.property(anyLimits, anyLimits, (one, other) => {
      const both = stricterLimits(one, other)
      for (const limits of [one, other])
        expect(compareLimits(limits, both).filter(({ tightens }) => !tightens)).toEqual([])
      expect(stricterLimits(both, one)).toEqual(both)
      expect(stricterLimits(one, one)).toEqual(one)
      expect(stricterLimits(one, {})).toEqual(one)
    }),
    { numRuns: 500 },
  )
})

it("counts a day by what a session may do where nothing else is said", () => {
  const sessions: Limits = { ...defaultLimits, autoAllowedPerSession: 10 }
  const days: Limits = { ...defaultLimits, autoAllowedPerSession: 50, autoAllowedPerDay: 100 }
  expect(stricterLimits(days, sessions)).toMatchObject({ autoAllowedPerSession: 10, autoAllowedPerDay: 10 })
  expect(stricterLimits(sessions, days)).toMatchObject({ autoAllowedPerSession: 10, autoAllowedPerDay: 10 })
})
