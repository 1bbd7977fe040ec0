import { expect, it } from "vitest"
import { barredMode, modes, modeWords } from "./mode-words.ts"

it("R136: stamps every mode but the usual one", () => {
  expect(modes.filter((mode) => modeWords[mode].stamp === null)).toEqual(["ask"])
})

it("marks as strong exactly the modes in which calls run unasked", () => {
  expect(modes.filter((mode) => modeWords[mode].weight === "strong")).toEqual(["autonomous", "observe"])
})

it("says why a mode cannot be chosen", () => {
  expect(barredMode("autonomous", ["autonomous"])).toMatch(/policy forbids/)
  expect(barredMode("observe", ["autonomous"])).toBe(undefined)
})
