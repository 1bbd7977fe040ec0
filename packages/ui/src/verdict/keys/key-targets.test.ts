import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createKeyTargets } from "./key-targets.ts"

const card = (name: string) => ({ holds: (element: unknown) => element === name })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe("the card that keys mean", () => {
  const [one, two] = [card("one"), card("two")]

  it("I1: the card that is left settles anew once the other was decided, however long it was drawn", () => {
    const targets = createKeyTargets(500)
    targets.add(one, "one")
    targets.add(two, "one")
    vi.advanceTimersByTime(5_000)
    expect([one, two].map(targets.stateOf)).toEqual(["target", "none"])
    targets.remove(one, "page")
    expect(targets.stateOf(two)).toBe("settling")
    vi.advanceTimersByTime(499)
    expect(targets.stateOf(two)).toBe("settling")
    vi.advanceTimersByTime(1)
    expect(targets.stateOf(two)).toBe("target")
  })

  it("I1: the card that the focus comes to settles anew, also when only the key tells that it came", () => {
    const targets = createKeyTargets(500)
    targets.add(one, "one")
    targets.add(two, "one")
    vi.advanceTimersByTime(5_000)
    targets.aim("two")
    expect([one, two].map(targets.stateOf)).toEqual(["none", "settling"])
    vi.advanceTimersByTime(500)
    targets.aim("two")
    expect(targets.stateOf(two)).toBe("target")
  })

  it("is none of several where the focus is in none of them", () => {
    const targets = createKeyTargets(500)
    targets.add(one, "page")
    targets.add(two, "page")
    vi.advanceTimersByTime(5_000)
    expect([one, two].map(targets.stateOf)).toEqual(["none", "none"])
  })
})
