import { describe, expect, it } from "vitest"
import { modeEnd } from "./mode-end.ts"

const noon = new Date(2026, 4, 4, 12, 0, 0).getTime()

describe("modeEnd", () => {
  it.each([
    { choice: "15", minutes: 15 },
    { choice: "30", minutes: 30 },
    { choice: "60", minutes: 60 },
  ] as const)("ends after $minutes minutes", ({ choice, minutes }) => {
    expect(modeEnd(choice, "", noon)).toEqual({ ok: true, until: noon + minutes * 60_000 })
  })

  it("ends at that time today, while it is to come", () => {
    expect(modeEnd("time", "18:30", noon)).toEqual({ ok: true, until: new Date(2026, 4, 4, 18, 30).getTime() })
  })

  it("ends at that time tomorrow, once it has passed", () => {
    expect(modeEnd("time", "12:00", noon)).toEqual({ ok: true, until: new Date(2026, 4, 5, 12, 0).getTime() })
  })

  it.each(["", "24:00", "9:5", "soon"])("takes no end from %j", (time) => {
    expect(modeEnd("time", time, noon).ok).toBe(false)
  })
})
