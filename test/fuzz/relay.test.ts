import { expect, it } from "vitest"
import { fuzzRelay } from "./relay-fuzz.ts"

it("a server sees nothing that the audit does not tell, whatever is sent to the gateway", async () => {
  const { sent, reached, problems } = await fuzzRelay(3_000, 11)
  expect(problems).toEqual([])
  // Enough of them are still requests that somebody would run.
  expect(reached).toBeGreaterThan(sent / 20)
})
