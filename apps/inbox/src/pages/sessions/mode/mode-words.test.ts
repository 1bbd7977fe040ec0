import { allModes } from "@byleave/core"
import { expect, it } from "vitest"
import { barredMode, chosenMode, modes, modeWords } from "./mode-words.ts"

it("R136: stamps every mode but the usual one", () => {
  expect(modes.filter((mode) => modeWords(mode).stamp === null)).toEqual(["ask"])
})

it("marks as strong exactly the modes in which calls run unasked", () => {
  expect(modes.filter((mode) => modeWords(mode).weight === "strong")).toEqual(["autonomous", "observe"])
})

it("R66, R136: stamps a session that is autonomous in part with what it runs unasked", () => {
  const partly = allModes.filter((mode) => chosenMode(mode) === "autonomous" && mode !== "autonomous")
  expect(partly.map((mode) => modeWords(mode).stamp)).toEqual([
    ...["No approval for tools", "No approval for paths", "No approval for URLs"],
    "No approval for tools and paths",
    "No approval for tools and URLs",
    "No approval for paths and URLs",
  ])
  expect(partly.every((mode) => modeWords(mode).weight === "strong")).toBe(true)
})

it("says why a mode cannot be chosen", () => {
  expect(barredMode("autonomous", ["autonomous"])).toMatch(/policy forbids/)
  expect(barredMode("autonomous-tools", ["autonomous"])).toMatch(/policy forbids/)
  expect(barredMode("observe", ["autonomous"])).toBe(undefined)
})
