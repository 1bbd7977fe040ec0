import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createFairShare, type FairShareLimits } from "./fair-share.ts"

const limits: FairShareLimits = { places: 4, guaranteed: 2, mostWaiting: 3, mostWaitingSize: 100 }

describe("a fair share", () => {
  it("I1: has no more places than it has", () => {
    const share = createFairShare(limits)
    expect(Array.from({ length: 6 }, () => share.enter("ann"))).toEqual([true, true, true, true, false, false])
  })

  it("I2: lets in whoever has less than is guaranteed, though all places are taken", () => {
    const share = createFairShare(limits)
    for (let n = 0; n < 4; n++) share.enter("ann")
    expect([share.enter("bob"), share.enter("bob"), share.enter("bob")]).toEqual([true, true, false])
  })

  it("I2: gives a principal its guaranteed place back, before others", () => {
    const share = createFairShare({ ...limits, guaranteed: 1 })
    const began: string[] = []
    for (let n = 0; n < 4; n++) share.enter("ann")
    share.enter("bob")
    share.wait("ann", 1, () => began.push("ann"))
    share.wait("bob", 1, () => began.push("bob"))
    share.leave("bob")
    expect(began).toEqual(["bob"])
  })

  it("I3: goes round, however many wait for one", () => {
    const share = createFairShare({ ...limits, guaranteed: 0, mostWaiting: 9 })
    const began: string[] = []
    for (let n = 0; n < 4; n++) share.enter("ann")
    for (const name of ["ann", "ann", "ann", "bob", "bob", "cid"]) share.wait(name, 1, () => began.push(name))
    for (let n = 0; n < 6; n++) share.leave("ann")
    expect(began).toEqual(["ann", "bob", "cid", "ann", "bob", "ann"])
  })

  it("I4: lets only so many wait, and only so much", () => {
    const share = createFairShare(limits)
    const wait = (name: string, size: number): boolean => share.wait(name, size, () => {}) !== null
    expect([wait("ann", 10), wait("ann", 10), wait("ann", 10), wait("ann", 10)]).toEqual([true, true, true, false])
    expect([wait("bob", 60), wait("bob", 60), wait("bob", 40)]).toEqual([true, false, true])
  })

  it("I5: gives no place to what left the queue, and has room for another", () => {
    const share = createFairShare(limits)
    const began: number[] = []
    for (let n = 0; n < 4; n++) share.enter("ann")
    const leaving = [1, 2, 3].map((n) => share.wait("ann", 1, () => began.push(n)))
    leaving[0]?.()
    leaving[0]?.()
    expect(share.wait("ann", 1, () => began.push(4))).not.toBeNull()
    for (let n = 0; n < 3; n++) share.leave("ann")
    expect(began).toEqual([2, 3, 4])
  })

  it("loses no place and leaves nobody waiting, whatever happens in whatever order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(2), fc.constantFrom("begin", "end", "give up")), { maxLength: 80 }),
        (steps) => {
          const share = createFairShare({ ...limits, mostWaiting: 100 })
          const running = [0, 0, 0]
          const waiting: Array<Array<() => void>> = [[], [], []]
          for (const [who, step] of steps) {
            const name = `${who}`
            if (step === "begin" && share.enter(name)) running[who] = (running[who] ?? 0) + 1
            else if (step === "begin") {
              const own = waiting[who] ?? []
              const leave = share.wait(name, 1, () => {
                own.splice(own.indexOf(entry), 1)
                running[who] = (running[who] ?? 0) + 1
              })
              const entry = (): void => leave?.()
              own.push(entry)
            } else if (step === "end" && (running[who] ?? 0) > 0) {
              running[who] = (running[who] ?? 0) - 1
              share.leave(name)
            } else if (step === "give up") waiting[who]?.pop()?.()
            const total = running.reduce((sum, count) => sum + count, 0)
            expect(total).toBeLessThanOrEqual(limits.places + 3 * limits.guaranteed)
            for (const [at, queue] of waiting.entries()) {
              if (queue.length === 0) continue
              expect(running[at]).toBeGreaterThanOrEqual(limits.guaranteed)
              expect(total).toBeGreaterThanOrEqual(limits.places)
            }
          }
        },
      ),
    )
  })
})
