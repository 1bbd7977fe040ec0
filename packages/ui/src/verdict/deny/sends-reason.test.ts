import { describe, expect, it } from "vitest"
import { sendsReason } from "./sends-reason.ts"

const enter = { key: "Enter", hasModifier: false, isRepeat: false, isComposing: false }

describe("the key that sends a reason", () => {
  it("is Enter alone", () => {
    expect(sendsReason(enter)).toBe(true)
  })

  it.each([
    ["a space", { ...enter, key: " " }],
    ["a letter", { ...enter, key: "a" }],
    ["Enter with Ctrl, Shift, Alt or Cmd", { ...enter, hasModifier: true }],
    ["Enter held down from elsewhere", { ...enter, isRepeat: true }],
    ["Enter that accepts a composed character", { ...enter, isComposing: true }],
  ])("is not %s", (_, key) => {
    expect(sendsReason(key)).toBe(false)
  })
})
