import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createBodyBudget, freeBodyBytes } from "./body-budget.ts"

const limits = { perPrincipal: 100, inAll: 150 }
const open = () => createBodyBudget(() => limits)
const beyond = (bytes: number): number => freeBodyBytes + bytes

describe("the bodies of open requests", () => {
  it("cost nothing as long as they are small", () => {
    const budget = open()
    const shares = Array.from({ length: 1_000 }, () => budget.share("ann"))
    expect(shares.every((share) => share.grow(freeBodyBytes) === null)).toBe(true)
    expect(budget.used()).toBe(0)
  })

  it("I1: of one principal are refused beyond its limit, in words; another's are not, nor what is small", () => {
    const budget = open()
    expect(budget.share("ann").grow(beyond(100))).toBeNull()
    expect(budget.share("ann").grow(beyond(1))).toMatch(/100 bytes.*Nothing was done\. Wait/)
    expect(budget.share("ann").grow(freeBodyBytes)).toBeNull()
    expect(budget.share("bob").grow(beyond(50))).toBeNull()
  })

  it("I1: of programs that share a principal leave room for each other: one alone may have all", () => {
    const budget = open()
    const shares = Array.from({ length: 9 }, (_, at) => budget.share("ann", `wrap ${at}`))
    expect(shares[0]?.grow(beyond(100))).toBeNull()
    expect(shares[0]?.grow(beyond(101))).toMatch(/as much as they may/)
    expect(shares[1]?.grow(beyond(26))).toMatch(/as much as they may/)
    expect(shares[1]?.grow(beyond(25))).toBeNull()
    expect(budget.share("ann").grow(beyond(6))).toBeNull()
    for (const share of shares) share.grow(beyond(100))
    expect(budget.used()).toBeLessThanOrEqual(133)
    for (const share of shares) share.release()
    expect(budget.used()).toBe(6)
    expect(budget.share("ann", "wrap 0").grow(beyond(90))).toBeNull()
  })

  it("I2: of all together are refused beyond the limit for all", () => {
    const budget = open()
    expect(budget.share("ann").grow(beyond(90))).toBeNull()
    expect(budget.share("bob").grow(beyond(60))).toBeNull()
    expect(budget.share("cem").grow(beyond(1))).toMatch(/may together\. Nothing was done\. Try again/)
  })

  it("I3: are given back once, whenever and however often their requests end", () => {
    const budget = open()
    const [one, two] = [budget.share("ann"), budget.share("ann")]
    one.grow(beyond(60))
    two.grow(beyond(40))
    one.release()
    one.release()
    expect(budget.used()).toBe(40)
    expect(budget.share("ann").grow(beyond(60))).toBeNull()
  })

  it("stay within both limits, and count for nothing in the end, whatever comes", () => {
    const step = fc.record({ at: fc.nat(9), grows: fc.option(fc.nat(120)) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = open()
        const bodies = Array.from({ length: 10 }, (_, at) => ({ share: budget.share(`p${at % 3}`), size: 0, kept: 0 }))
        for (const { at, grows } of steps) {
          const body = bodies[at]
          if (body === undefined) continue
          if (grows === null) {
            body.share.release()
            Object.assign(body, { size: 0, kept: 0, share: budget.share(`p${at % 3}`) })
          } else if (body.share.grow(beyond(body.size + grows)) === null) {
            body.size += grows
            body.kept = body.size
          }
          expect(budget.used()).toBe(bodies.reduce((sum, { kept }) => sum + kept, 0))
          expect(budget.used()).toBeLessThanOrEqual(limits.inAll)
          for (const own of [0, 1, 2]) {
            const sum = bodies.filter((_, index) => index % 3 === own).reduce((total, { kept }) => total + kept, 0)
            expect(sum).toBeLessThanOrEqual(limits.perPrincipal)
          }
        }
        for (const { share } of bodies) share.release()
        expect(budget.used()).toBe(0)
      }),
    )
  })
})
