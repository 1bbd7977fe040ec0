import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createUsageTracker } from "./usage.ts"

const minute = 60_000
const call = { write: false, coolDown: false }
const write = { write: true, coolDown: false }
const limits = { coolDown: { after: [], forMs: 5 * minute }, bulk: { writes: 3, withinMs: 10_000 } }
const now = 1_800_000_000_000
const by = (principal: string, session = "s1") => ({ principal, session: `${principal} ${session}` })

describe("createUsageTracker", () => {
  it("R158: counts auto-allowed calls per session and per minute", () => {
    const usage = createUsageTracker(limits)
    usage.note(by("a"), call, now)
    usage.note(by("a"), call, now + 59_999)
    usage.note(by("b"), call, now)
    expect(usage.usageOf(by("a"), now + 59_999)).toMatchObject({ autoAllowedInSession: 2, autoAllowedInMinute: 2 })
    expect(usage.usageOf(by("a"), now + 3 * minute)).toMatchObject({ autoAllowedInSession: 2, autoAllowedInMinute: 0 })
    expect(usage.usageOf(by("b"), now)).toMatchObject({ autoAllowedInSession: 1 })
  })

  it("R158: a session's total is at least what the store has recorded", () => {
    const usage = createUsageTracker(limits)
    usage.note(by("a"), call, now)
    expect(usage.usageOf(by("a"), now, 40).autoAllowedInSession).toBe(40)
    expect(usage.usageOf(by("a"), now, 0).autoAllowedInSession).toBe(1)
  })

  it("R160: counts writes within the bulk window", () => {
    const usage = createUsageTracker(limits)
    for (let n = 0; n < 4; n++) usage.note(by("a"), n < 3 ? write : call, now)
    expect(usage.usageOf(by("a"), now + 9_999).writesInWindow).toBe(3)
    expect(usage.usageOf(by("a"), now + 12_000).writesInWindow).toBe(0)
  })

  it("R159: a sensitive call starts a cool-down, also when a person approved it", () => {
    const usage = createUsageTracker(limits)
    usage.note(by("a"), { autoAllowed: false, write: true, coolDown: true }, now)
    const { coolDownUntil, ...counts } = usage.usageOf(by("a"), now + minute)
    expect(coolDownUntil).toBe(now + 5 * minute)
    expect(counts).toMatchObject({ autoAllowedInSession: 0, autoAllowedInMinute: 0 })
    expect(usage.usageOf(by("a"), now + 5 * minute).coolDownUntil).toBeNull()
    expect(usage.usageOf(by("b"), now).coolDownUntil).toBeNull()
  })

  it("I1: a clock that steps back frees nothing", () => {
    const usage = createUsageTracker(limits)
    usage.note(by("a"), { write: true, coolDown: true }, now)
    usage.note(by("a"), write, now - 24 * 60 * minute)
    expect(usage.usageOf(by("a"), now - 48 * 60 * minute)).toEqual({
      autoAllowedInSession: 2,
      autoAllowedInMinute: 2,
      writesInWindow: 2,
      coolDownUntil: now + 5 * minute,
    })
    expect(usage.usageOf(by("a"), Number.NaN).autoAllowedInMinute).toBe(2)
  })

  it("I1, I2: naming many sessions frees nothing: what was forgotten counts for all that are not remembered", () => {
    const usage = createUsageTracker(limits, 3)
    for (let n = 0; n < 20; n++) usage.note(by("busy"), write, now)
    for (let n = 0; n < 10; n++) usage.note(by(`other ${n}`), write, now)
    expect(usage.usageOf(by("busy"), now).autoAllowedInMinute).toBeGreaterThanOrEqual(20)
    usage.note(by("busy"), write, now)
    expect(usage.usageOf(by("busy"), now).writesInWindow).toBeGreaterThanOrEqual(21)
    expect(usage.usageOf(by("newcomer"), now).autoAllowedInMinute).toBeGreaterThanOrEqual(20)
    expect(usage.usageOf(by("newcomer"), now + 3 * minute)).toMatchObject({ autoAllowedInMinute: 0, writesInWindow: 0 })
  })

  it("I3: the sessions of a principal count together, save for the total of each", () => {
    const usage = createUsageTracker(limits)
    usage.note(by("a", "s1"), write, now)
    usage.note(by("a", "s2"), { write: true, coolDown: true }, now)
    expect(usage.usageOf(by("a", "s3"), now)).toEqual({
      autoAllowedInSession: 0,
      autoAllowedInMinute: 2,
      writesInWindow: 2,
      coolDownUntil: now + 5 * minute,
    })
    expect(usage.usageOf(by("a", "s1"), now).autoAllowedInSession).toBe(1)
    expect(usage.usageOf(by("b", "s1"), now)).toMatchObject({ autoAllowedInMinute: 0, coolDownUntil: null })
  })

  it("I2: totals of sessions nobody uses any more are let go, the oldest first", () => {
    const usage = createUsageTracker(limits, 2)
    for (const session of ["s1", "s2", "s1", "s3"]) usage.note(by("a", session), call, now)
    const total = (session: string) => usage.usageOf(by("a", session), now).autoAllowedInSession
    expect(["s1", "s2", "s3"].map(total)).toEqual([2, 0, 1])
  })

  it("other limits keep what was counted", () => {
    const usage = createUsageTracker({})
    usage.note(by("a"), write, now)
    usage.replaceLimits(limits)
    usage.note(by("a"), { write: true, coolDown: true }, now)
    expect(usage.usageOf(by("a"), now)).toMatchObject({ writesInWindow: 2, coolDownUntil: now + 5 * minute })
    usage.replaceLimits({ bulk: { writes: 3, withinMs: 60 * minute } })
    expect(usage.usageOf(by("a"), now + 2 * minute)).toMatchObject({ autoAllowedInSession: 2, writesInWindow: 2 })
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
          usage.note(by(session), write, clock)
          notes.push({ session, at: latest })
          const happened = (from: number) => notes.filter((note) => note.session === session && note.at > from).length
          const { autoAllowedInMinute, writesInWindow } = usage.usageOf(by(session), clock)
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
