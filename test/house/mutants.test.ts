import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { readInvariants, readMutants } from "./mutant-files.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const mutants = readMutants(root)

it("every numbered invariant has a patch that breaks it, and every patch an invariant", () => {
  expect(mutants.map(({ breaks }) => breaks).sort()).toEqual([...readInvariants(root)].sort())
})

it("every patch still applies", () => {
  const stale = mutants.filter(({ file }) => {
    try {
      execFileSync("git", ["apply", "--check", file], { cwd: root, stdio: "ignore" })
      return false
    } catch {
      return true
    }
  })
  expect(stale.map(({ file }) => file)).toEqual([])
})
