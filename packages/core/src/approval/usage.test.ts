import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createUsageTracker } from "./usage.ts"

const minute = 60_000
const call = { write: false, coolDown: false }
const write = { write: true, coolDown: false }
const limits = { coolDown: { after: [], forMs: 5 * minute }, bulk: { writes: 3, withinMs: 10_000 } }
const now = 1_800_000_000_000

describe("createUsageTracker", () => {
  it("R158: counts auto-allowed calls per session and per minute", () => {
    const usage = createUsageTracker(limits)
    usage.note("a", call, now)
    usage.note("a", call, now + 59_999)
    usage.note("b", call, now)
    expect(usage.usageOf("a", now + 59_999)).toMatchObject({ autoAllowedInSession: 2, autoAllowedInMinute: 2 })
    expect(usage.usageOf("a", now + 3 * minute)).toMatchObject({ autoAllowedInSession: 2, autoAllowedInMinute: 0 })
    expect(usage.usageOf("b", now)).toMatchObject({ autoAllowedInSession: 1 })
  })

  it("R158: a session's total is at least what the store has recorded", () => {
    const usage = createUsageTracker(limits)
    usage.note("a", call, now)
    expect(usage.usageOf("a", now, 40).autoAllowedInSession).toBe(40)
    expect(usage.usageOf("a", now, 0).autoAllowedInSession).toBe(1)
  })

  it("R160: counts writes within the bulk window", () => {
    const usage = createUsageTracker(limits)
    for (let n = 0; n < 4; n++) usage.note("a", n < 3 ? write : call, now)
    expect(usage.usageOf("a", now + 9_999).writesInWindow).toBe(3)
    expect(usage.usageOf("a", now + 12_000).writesInWindow).toBe(0)
  })

  it("R159: a sensitive call starts a cool-down, also when a person approved it", () => {
    const usage = createUsageTracker(limits)
    usage.note("a", { autoAllowed: false, write: true, coolDown: true }, now)
    const { coolDownUntil, ...counts } = usage.usageOf("a", now + minute)
    expect(coolDownUntil).toBe(now + 5 * minute)
    expect(counts).toMatchObject({ autoAllowedInSession: 0, autoAllowedInMinute: 0 })
    expect(usage.usageOf("a", now + 5 * minute).coolDownUntil).toBeNull()
    expect(usage.usageOf("b", now).coolDownUntil).toBeNull()
  })

  it("I1: a clock that steps back frees nothing", () => {
    const usage = createUsageTracker(limits)
    usage.note("a", { write: true, coolDown: true }, now)
    usage.note("a", write, now - 24 * 60 * minute)
    expect(usage.usageOf("a", now - 48 * 60 * minute)).toEqual({
      autoAllowedInSession: 2,
      autoAllowedInMinute: 2,
      writesInWindow: 2,
      coolDownUntil: now + 5 * minute,
    })
    expect(usage.usageOf("a", Number.NaN).autoAllowedInMinute).toBe(2)
  })

  it("I1, I2: naming many sessions frees nothing: what was forgotten counts for all that are not remembered", () => {
    const usage = createUsageTracker(limits, 3)
    for (let n = 0; n < 20; n++) usage.note("busy", write, now)
    for (let n = 0; n < 10; n++) usage.note(`other ${n}`, write, now)
    expect(usage.usageOf("busy", now).autoAllowedInMinute).toBeGreaterThanOrEqual(20)
    usage.note("busy", write, now)
    expect(usage.usageOf("busy", now).writesInWindow).toBeGreaterThanOrEqual(21)
    expect(usage.usageOf("newcomer", now).autoAllowedInMinute).toBeGreaterThanOrEqual(20)
    expect(usage.usageOf("newcomer", now + 3 * minute)).toMatchObject({ autoAllowedInMinute: 0, writesInWindow: 0 })
  })

  it("other limits keep what was counted", () => {
    const usage = createUsageTracker({})
    usage.note("a", write, now)
    usage.replaceLimits(limits)
    usage.note("a", { write: true, coolDown: true }, now)
    expect(usage.usageOf("a", now)).toMatchObject({ writesInWindow: 2, coolDownUntil: now + 5 * minute })
    usage.replaceLimits({ bulk: { writes: 3, withinMs: 60 * minute } })
    expect(usage.usageOf("a", now + 2 * minute)).toMatchObject({ autoAllowedInSession: 2, writesInWindow: 2 })
  })

  it("I1, and I1 of its windows: never counts less than happened, nor much more", () => {
    const step = fc.record({
      session: fc.constantFrom("a", "b", "c", "d"),
      after: fc.integer({ min: -5_000, max: 20_000 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (steps, mostSessions) => {
        const usage = createUsageTracker(limits, mostSessions)
        const notes: { session: string; at: number }[] = []
        let clock = now
        let latest = 0
        for (const { session, after } of steps) {
          clock += after
          latest = Math.max(latest, clock)
          usage.note(session, write, clock)
          notes.push({ session, at: latest })
          const happened = (from: number) => notes.filter((note) => note.session === session && note.at > from).length
          const { autoAllowedInMinute, writesInWindow } = usage.usageOf(session, clock)
          expect(autoAllowedInMinute).toBeGreaterThanOrEqual(happened(latest - minute))
          expect(writesInWindow).toBeGreaterThanOrEqual(happened(latest - 10_000))
          if (mostSessions === 4) {
            expect(autoAllowedInMinute).toBeLessThanOrEqual(happened(latest - minute - minute / 16 - 1))
            expect(writesInWindow).toBeLessThanOrEqual(happened(latest - 10_000 - 10_000 / 16 - 1))
          }
        }
      }),
      { numRuns: 200 },
    )
  })
})
