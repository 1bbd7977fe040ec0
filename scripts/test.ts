/**
 * `npm test [-- FILTER…]`: runs the suites, with a PostgreSQL server of their own, and without a filter the page in a browser; closes with one
 * line of counts.
 */
import { fileURLToPath } from "node:url"
import { parseCLI, startVitest, type TestCase, type TestModule } from "vitest/node"
import { runBrowserSuites } from "./browser-suites.ts"
import { findChromium, howToGetChromium } from "./chromium.mjs"
import { startCluster } from "./postgres/postgres-cluster.ts"

type Tally = {
  passed: number
  failed: number
  skipped: number
  readonly failures: string[]
  readonly reasons: Map<string, number>
}

// Suites that start Byleave start what people run, which the set-up has built: from its sources each start costs three times as much.
process.env.BYLEAVE_TEST_PROGRAM ??= fileURLToPath(new URL("../apps/cli/dist/byleave.js", import.meta.url))

const cluster = await startCluster()
if ("missing" in cluster && process.env.CI === "true") {
  console.error(`The PostgreSQL suites cannot run: ${cluster.missing}.`)
  process.exit(1)
}

const tally = await runSuites("url" in cluster ? cluster.url : undefined).finally(() =>
  "stop" in cluster ? cluster.stop() : undefined,
)
if (process.argv.length === 2) await countBrowserSuites(tally)
if ("missing" in cluster) console.log(`PostgreSQL suites skipped: ${cluster.missing}`)
for (const failure of tally.failures) console.log(`Failed: ${failure}`)
for (const [reason, count] of tally.reasons) console.log(`${count} skipped: ${reason}`)
const failed = tally.failed > 0 || (process.exitCode ?? 0) !== 0
if (failed && tally.failed === 0) console.log("The run itself failed: see above.")
console.log(`${tally.passed} passed, ${tally.failed} failed${tally.skipped > 0 ? `, ${tally.skipped} skipped` : ""}`)
process.exit(failed ? 1 : 0)

async function runSuites(url: string | undefined): Promise<Tally> {
  if (url !== undefined) process.env.BYLEAVE_TEST_POSTGRES = url
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, failures: [], reasons: new Map() }
  const { filter, options } = parseCLI(["vitest", "run", ...process.argv.slice(2)])
  const counter = {
    onTestRunEnd: (modules: readonly TestModule[], unhandled: readonly unknown[]) => {
      for (const error of unhandled) fail(tally, `unhandled: ${messageOf(error)}`)
      for (const module of modules) count(module, tally)
    },
  }
  const vitest = await startVitest(filter, { ...options, watch: false, reporters: ["default", counter] })
  await vitest.close()
  return tally
}

async function countBrowserSuites(tally: Tally): Promise<void> {
  if (findChromium() === undefined) {
    console.log(`Browser suites skipped: ${howToGetChromium}`)
    if (process.env.CI === "true") tally.failed++
    return
  }
  const { passed, failed, skipped } = await runBrowserSuites()
  tally.passed += passed
  tally.failed += failed
  for (let left = skipped; left > 0; left--) skip(tally, "see the list of the browser suites above")
}

function count(module: TestModule, tally: Tally): void {
  // A file that cannot be loaded, or a hook that throws, has no failing test and is a failure all the same.
  for (const error of module.errors()) fail(tally, `${module.relativeModuleId}: ${messageOf(error)}`)
  for (const suite of module.children.allSuites())
    for (const error of suite.errors())
      fail(tally, `${module.relativeModuleId} › ${suite.fullName}: ${messageOf(error)}`)
  for (const test of module.children.allTests()) {
    const result = test.result()
    if (result.state === "passed") tally.passed++
    else if (result.state === "failed")
      fail(tally, `${module.relativeModuleId} › ${test.fullName}: ${messageOf(result.errors[0])}`)
    else skip(tally, reasonOf(test, module))
  }
}

/** As `context.skip(reason)` gave it, or as `(skipped: reason)` in the name of the suite says. */
function reasonOf(test: TestCase, module: TestModule): string {
  const result = test.result()
  if (result.state === "skipped" && result.note) return result.note
  const [, named] = /\(skipped: ([^)]*)\)/.exec(test.fullName) ?? []
  return named ?? `no reason given in ${module.relativeModuleId}`
}

/** Named again at the very end: the run prints thousands of lines in between. */
function fail(tally: Tally, failure: string): void {
  tally.failed++
  tally.failures.push(failure)
}

function messageOf(error: unknown): string {
  const message =
    typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error)
  return message.split("\n", 1)[0] ?? ""
}

function skip(tally: Tally, reason: string): void {
  tally.skipped++
  tally.reasons.set(reason, (tally.reasons.get(reason) ?? 0) + 1)
}
