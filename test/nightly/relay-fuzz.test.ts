import { expect, it } from "vitest"
import { fuzzRelay } from "../fuzz/relay-fuzz.ts"

it.each([1, 2, 3, 4, 5])(
  "a server sees nothing that the audit does not tell: 20,000 requests, seed %i",
  async (seed) => {
    expect((await fuzzRelay(20_000, seed)).problems).toEqual([])
  },
  300_000,
)
