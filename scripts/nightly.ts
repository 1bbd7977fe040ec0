/** `npm run nightly [-- FILTER…]`: the suites that take too long for every change, from `test/nightly`; all of them within a bound. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const mostMinutes = 240
const mostMinutesPerTest = 60

const test = fileURLToPath(new URL("./test.ts", import.meta.url))
const filters = process.argv.slice(2).map((part) => `test/nightly/${part}`)
const suites = filters.length === 0 ? ["test/nightly"] : filters
const { status, error } = spawnSync(
  process.execPath,
  [test, ...suites, `--testTimeout=${mostMinutesPerTest * 60_000}`],
  { stdio: "inherit", env: { ...process.env, BYLEAVE_NIGHTLY: "all" }, timeout: mostMinutes * 60_000 },
)
if (error !== undefined)
  console.error(`The nightly suites did not end within ${mostMinutes} minutes, or did not start.`)
process.exitCode = status ?? 1
