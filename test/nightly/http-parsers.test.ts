/** The fast path against node's parser, with numbers nobody has tried yet; about three minutes. `BYLEAVE_SEED=…` tries the same again. */
import { randomInt } from "node:crypto"
import { expect, it } from "vitest"
import { compareParsers } from "../../packages/gateway/src/fast-path/fixtures/compare-parsers.ts"
import { compareReaders } from "../../packages/gateway/src/fast-path/fixtures/compare-readers.ts"

const seed = Number(process.env.BYLEAVE_SEED ?? randomInt(2 ** 31))
const millions = Number(process.env.BYLEAVE_MILLIONS ?? 4)

it(`agree on ${millions} million requests (seed ${seed})`, () => {
  expect(compareParsers(seed, millions * 1_000_000).difference).toBeNull()
})

it(`agree on ${millions} million answers (seed ${seed})`, () => {
  expect(compareReaders(seed, millions * 1_000_000).difference).toBeNull()
})
