import { describe, expect, it } from "vitest"
import { comeBackMs, sendableEventId } from "./come-back.ts"

describe("the wait before the rest of a stream is fetched", () => {
  it("is what the server asks for, but never none and never longer than allowed", () => {
    expect([0, 50, 100, 7_000, 1e12].map((asked) => comeBackMs(asked, 0, 30_000))).toEqual([
      100, 100, 100, 7_000, 30_000,
    ])
  })

  it("grows while nothing comes", () => {
    const waits = [0, 1, 2, 3, 4, 5, 999].map((empty) => comeBackMs(0, empty, 30_000))
    expect(waits).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000])
  })
})

describe("the id of an event", () => {
  it.each(["e1", "a b", "~", "x".repeat(1_024)])("is kept where a header can say it: %s", (id) => {
    expect(sendableEventId(id)).toBe(id)
  })

  it.each(["", "\u2603", "\u00e9", "a\tb", "x".repeat(1_025), "a\u007f"])("is not kept otherwise: %j", (id) => {
    expect(sendableEventId(id)).toBeUndefined()
  })
})
