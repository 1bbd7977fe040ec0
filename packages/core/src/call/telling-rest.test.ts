import { expect, it } from "vitest"
import { createTellingRest, type EndedTelling } from "./telling-rest.ts"

async function restAfter(telling: Omit<EndedTelling, "began">, tookMs: number): Promise<number> {
  let ms = 1_000
  let rested = 0
  const rest = createTellingRest({
    now: () => ms,
    pause: async (pauseMs) => {
      rested += pauseMs
    },
  })
  await rest.over()
  const began = ms
  ms += tookMs
  rest.after({ began, ...telling })
  await rest.over()
  return rested
}

it.each([
  { name: "I1: nothing changed", telling: { tools: 10, characters: 1_000, changes: 0 }, tookMs: 30, rest: 0 },
  { name: "I1: each tool that changed", telling: { tools: 10, characters: 1_000, changes: 7 }, tookMs: 30, rest: 140 },
  { name: "I1: many tools", telling: { tools: 201, characters: 1_000, changes: 1 }, tookMs: 30, rest: 300 },
  { name: "I1: many characters", telling: { tools: 1, characters: 250_001, changes: 0 }, tookMs: 30, rest: 300 },
  {
    name: "I2: no longer than that",
    telling: { tools: 9_000, characters: 1, changes: 9_000 },
    tookMs: 9,
    rest: 10_000,
  },
])("$name", async ({ telling, tookMs, rest }) => {
  expect(await restAfter(telling, tookMs)).toBe(rest)
})
