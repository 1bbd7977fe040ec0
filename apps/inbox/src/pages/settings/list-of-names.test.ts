import { expect, it } from "vitest"
import { listOfNames } from "./list-of-names.ts"

it("reads names however they are set apart, each once", () => {
  expect(listOfNames(" ops, release;ops\nqa ")).toEqual(["ops", "release", "qa"])
  expect(listOfNames("  ")).toEqual([])
})
