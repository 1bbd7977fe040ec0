/**
 * `npm run nightly`: what takes too long for every change, one part after the other: the suites of `test/nightly`, every page in the
 * browser, Lighthouse, all races and kills, the conformance suite and others that do more at night, the mutants, and the adapters in the real agent libraries. `npm run nightly -- FILTER…` runs only the suites of `test/nightly` whose path goes on like that.
 */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const mostMinutes = 240
const mostMinutesPerTest = 60

type Part = { readonly name: string; readonly script: string; readonly args: readonly string[] }

const filters = process.argv.slice(2).map((part) => `test/nightly/${part}`)
const suites: Part = {
  name: "nightly suites",
  script: "test",
  args: [...(filters.length === 0 ? ["test/nightly"] : filters), `--testTimeout=${mostMinutesPerTest * 60_000}`],
}
const others: readonly Part[] = [
  { name: "browser", script: "browser-suites", args: [] },
  { name: "lighthouse", script: "../test/browser/lighthouse/run", args: [] },
  { name: "faults", script: "faults", args: [] },
  {
    name: "suites that do more at night",
    script: "test",
    args: ["test/conformance", "test/fuzz", "test/api/real-service", "packages/formats/src/languages"],
  },
  { name: "mutants", script: "mutants", args: [] },
  { name: "agent libraries", script: "hosts", args: [] },
]

const failed = (filters.length === 0 ? [suites, ...others] : [suites]).filter((part) => !run(part))
for (const { name } of failed) console.error(`failed: ${name}`)
process.exitCode = failed.length === 0 ? 0 : 1

function run({ name, script, args }: Part): boolean {
  console.log(`── ${name}`)
  const { status, error } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL(`./${script}.ts`, import.meta.url)), ...args],
    {
      stdio: "inherit",
      env: { ...process.env, BYLEAVE_NIGHTLY: "all" },
      timeout: mostMinutes * 60_000,
    },
  )
  if (error !== undefined) console.error(`${name} did not end within ${mostMinutes} minutes, or did not start.`)
  return status === 0
}
