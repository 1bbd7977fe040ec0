import { describe, expect, it } from "vitest"
import { extendChoices } from "./extend-choices.ts"

const now = new Date("2026-03-01T12:00").getTime()
const hour = 3_600_000

describe("extendChoices", () => {
  it("counts from when the call would expire, and ends with never", () => {
    const choices = extendChoices(now + hour, now)
    expect(choices.map(({ until }) => until)).toEqual([
      now + 2 * hour,
      now + 9 * hour,
      new Date("2026-03-02T18:00").getTime(),
      null,
    ])
  })

  it("offers nothing that would not lengthen the wait", () => {
    const late = now + 100 * hour
    expect(extendChoices(late, now).every(({ until }) => until === null || until > late)).toBe(true)
    expect(extendChoices(null, now)).toEqual([])
  })
})
