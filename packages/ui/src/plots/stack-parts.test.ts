import { expect, it } from "vitest"
import { rowParts, stackParts } from "./stack-parts.ts"

it("stacks from the foot up and draws nothing for a zero", () => {
  expect(stackParts([10, 0, 5], 100, 2)).toEqual([
    { series: 0, y: 80, height: 20 },
    { series: 2, y: 70, height: 10 },
  ])
})

it("lets one call be seen beside ten thousand", () => {
  expect(stackParts([10_000, 1], 200, 0.02)[1]?.height).toBe(2)
})

it("lays parts end to end, in percent of the widest row", () => {
  expect(rowParts([1, 0, 2], 8)).toEqual([
    { series: 0, start: 0, width: 12.5 },
    { series: 2, start: 12.5, width: 25 },
  ])
  expect(rowParts([0], 0)).toEqual([])
})
