import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Usage } from "../../policy/decide/decision.ts"
import {
  addToTotal,
  addUse,
  type CallUse,
  forgetCountsAt,
  isCounted,
  type PrincipalCounts,
  usageBeyond,
} from "./usage.ts"

const minute = 60_000
const day = 24 * 60 * minute
const now = 1_800_000_000_000
const call: CallUse = { principal: "a", isUnasked: true }
const write: CallUse = { ...call, writeWithinMs: 10_000 }

/** Every use is beyond a limit of none, and is told what was done before it. */
function usageAt(counts: PrincipalCounts | undefined, at: number, withinMs = 10_000): Usage {
  const use: CallUse = { principal: "a", writeWithinMs: withinMs, within: { autoAllowedPerDay: 0 } }
  const usage = usageBeyond(use, { principal: counts, session: undefined }, at)
  if (usage === null) throw new Error("within a limit of none")
  return usage
}

function after(...uses: ReadonlyArray<readonly [CallUse, number]>): PrincipalCounts | undefined {
  return uses.reduce<PrincipalCounts | undefined>((counts, [use, at]) => addUse(counts, use, at), undefined)
}

describe("counts of a principal", () => {
  it("R158: hold calls within a minute and within a day", () => {
    const counts = after([call, now], [call, now + 59_999])
    expect(usageAt(counts, now + 59_999)).toMatchObject({ autoAllowedInDay: 2, autoAllowedInMinute: 2 })
    expect(usageAt(counts, now + 3 * minute)).toMatchObject({ autoAllowedInDay: 2, autoAllowedInMinute: 0 })
    expect(usageAt(counts, now + day)).toMatchObject({ autoAllowedInDay: 2 })
    expect(usageAt(counts, now + day + day / 8)).toMatchObject({ autoAllowedInDay: 0 })
  })

  it("R160: hold writes within the bulk window", () => {
    const counts = after([write, now], [write, now], [write, now], [call, now])
    expect(usageAt(counts, now + 9_999).writesInWindow).toBe(3)
    expect(usageAt(counts, now + 12_000).writesInWindow).toBe(0)
  })

  it("R159: hold the end of a cool-down, also of a call that a person approved", () => {
    const counts = after([{ principal: "a", writeWithinMs: 10_000, coolDownMs: 5 * minute }, now])
    expect(usageAt(counts, now + minute)).toMatchObject({ autoAllowedInDay: 0, coolDownUntil: now + 5 * minute })
    expect(usageAt(counts, now + 5 * minute).coolDownUntil).toBeNull()
    const longer = after([{ principal: "a", coolDownMs: 5 * minute }, now], [{ principal: "a", coolDownMs: 1 }, now])
    expect(usageAt(longer, now).coolDownUntil).toBe(now + 5 * minute)
  })

  it("I1: a clock that steps back frees nothing", () => {
    const counts = after([{ ...write, coolDownMs: 5 * minute }, now], [write, now - day])
    expect(usageAt(counts, now - 2 * day)).toEqual({
      autoAllowedInSession: 0,
      autoAllowedInDay: 2,
      autoAllowedInMinute: 2,
      writesInWindow: 2,
      coolDownUntil: now + 5 * minute,
    })
  })

  it("I1: a window of another length keeps what the old one counted within it", () => {
    const counts = after([write, now - 9_000], [write, now])
    expect(usageAt(counts, now, 10_000).writesInWindow).toBe(2)
    expect(usageAt(counts, now, 1_000).writesInWindow).toBe(1)
    const longer = after([write, now - 9_000], [write, now], [{ ...write, writeWithinMs: minute }, now])
    expect(usageAt(longer, now + 50_000, minute).writesInWindow).toBe(3)
    const shorter = after([write, now - 9_000], [write, now], [{ ...write, writeWithinMs: 1_000 }, now])
    expect(usageAt(shorter, now, 1_000).writesInWindow).toBe(2)
  })

  it("I1: the count is never less than what happened within the window, and at most a bucket more", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.array(fc.nat(300), { maxLength: 60 }), (withinMs, pauses) => {
        const width = Math.ceil(withinMs / 16)
        let at = now
        let counts: PrincipalCounts | undefined
        const times: number[] = []
        for (const pause of pauses) {
          at += pause
          times.push(at)
          counts = addUse(counts, { principal: "a", writeWithinMs: withinMs }, at)
          const happened = times.filter((time) => time > at - withinMs).length
          const atMost = times.filter((time) => time > at - withinMs - 2 * width).length
          const counted = usageAt(counts, at, withinMs).writesInWindow
          expect(counted).toBeGreaterThanOrEqual(happened)
          expect(counted).toBeLessThanOrEqual(atMost)
        }
      }),
      { numRuns: 200 },
    )
  })

  it("I2: stay small however many uses there are, and are as good as none from a time on", () => {
    let counts: PrincipalCounts | undefined
    for (let n = 0; n < 5_000; n++) counts = addUse(counts, { ...write, coolDownMs: minute }, now + n * 7_919)
    expect(JSON.stringify(counts).length).toBeLessThan(600)
    const end = forgetCountsAt(counts ?? addUse(undefined, call, now))
    expect(usageAt(counts, end - 1)).not.toEqual(usageAt(undefined, end))
    expect(usageAt(counts, end)).toEqual(usageAt(undefined, end))
  })

  it("are kept only of what counts for something", () => {
    expect(isCounted({ principal: "a", session: "s", within: { coolDown: { after: [], forMs: 1 } } })).toBe(false)
    for (const use of [call, { principal: "a", writeWithinMs: 1 }, { principal: "a", coolDownMs: 1 }]) {
      expect(isCounted(use)).toBe(true)
    }
  })
})

describe("the total of a session", () => {
  it("I2, R158: counts all its life, and is forgotten once it has done nothing for 30 days", () => {
    const first = addToTotal(undefined, now)
    const second = addToTotal(first, now + 29 * day)
    expect(second).toEqual({ total: 2, forgetAt: now + 59 * day })
    expect(addToTotal(second, now + 59 * day).total).toBe(1)
  })

  it("I3: is the session's own, and everything else the principal's", () => {
    const session = addToTotal(undefined, now)
    const within = { autoAllowedPerSession: 1, autoAllowedPerDay: 2 }
    const use: CallUse = { ...call, session: "s", within }
    const principal = addUse(undefined, use, now)
    expect(usageBeyond(use, { principal, session }, now)).toMatchObject({ autoAllowedInSession: 1 })
    expect(usageBeyond(use, { principal, session: undefined }, now)).toBeNull()
    const busier = addUse(principal, use, now)
    expect(usageBeyond(use, { principal: busier, session: undefined }, now)).toMatchObject({ autoAllowedInDay: 2 })
    expect(usageBeyond({ ...call }, { principal: busier, session }, now)).toBeNull()
  })
})
