import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { readInvariants, readMutants } from "./mutant-files.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

it("every numbered invariant has a patch that breaks it, and every patch an invariant", () => {
  expect(
    readMutants(root)
      .map(({ breaks }) => breaks)
      .sort(),
  ).toEqual([...readInvariants(root)].sort())
})
