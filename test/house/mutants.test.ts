import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { readInvariants, readMutants } from "./mutant-files.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const mutants = readMutants(root)

/** Where a mistake would let something run that nobody allowed, or hide it: what is decided, held, sent and recorded. */
const broken =
  /^packages\/(?:core\/src\/(?:policy\/decide\/decide|approval\/transition|run\/run-transition|gate\/(?:callers\/(?:submit|dispatch|may-still-run)|runs\/(?:change-run|end-run|try-call))|audit\/chain(?:-verifier)?)|runs\/src\/loop\/run-calls|gateway\/src\/(?:wire\/methods\/methods|relay\/route))\.ts /

it("every numbered invariant of the modules that decide has a patch that breaks it, and every patch such an invariant", () => {
  const invariants = readInvariants(root).filter((invariant) => broken.test(invariant))
  expect(mutants.map(({ breaks }) => breaks).sort()).toEqual(invariants.toSorted())
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
