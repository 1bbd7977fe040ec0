// The official conformance suite of MCP, directly and through the gateway: every check that differs, and why. Then the suite of Open Responses.
import { parseArgs } from "node:util"
import { clientScenarios, drive } from "../test/conformance/client-leg/scenarios.ts"
import { failuresIn } from "../test/conformance/compare.ts"
import { expectedDifferences } from "../test/conformance/expected-differences.ts"
import { judge } from "../test/conformance/judge.ts"
import { middleNamed } from "../test/conformance/middles.ts"
import { runOpenResponses } from "../test/conformance/open-responses/run-open-responses.ts"
import { type PairingName, pairingNames, runDirect, runThrough, versionOf } from "../test/conformance/pairings.ts"
import type { SpecVersion, SuiteResult } from "../test/conformance/run-suite.ts"

const {
  through: middle,
  only,
  "open-responses": openResponsesFrom,
} = parseArgs({
  options: {
    through: { type: "string", default: "gateway" },
    only: { type: "string", default: "" },
    "open-responses": { type: "string" },
  },
}).values
const wanted = (name: string) => name.includes(only)
const direct = new Map<SpecVersion, SuiteResult>()
let problems = 0

for (const name of pairingNames.filter(wanted)) {
  const alone = await directly(versionOf(name))
  const result = await runThrough(name, middleNamed(middle))
  compareAndReport(name, alone, result)
}
for (const [version, scenario] of clientScenarios.filter(([, name]) => wanted(`client leg ${name}`))) {
  const result = await drive(version, scenario, middle)
  report(`client leg ${scenario} ${version}, through ${middle}`, result, failuresIn(result))
}
if (wanted("open responses")) await openResponses()
process.exitCode = problems === 0 ? 0 : 1

async function openResponses(): Promise<void> {
  const result = await runOpenResponses(openResponsesFrom)
  if ("skipped" in result) return console.log(`open responses: skipped. ${result.skipped}`)
  problems += result.problems.length
  for (const { id, reason } of result.expected) console.log(`  expected  ${id}: failed. ${reason}`)
  for (const line of result.problems) console.log(`  PROBLEM   ${line.slice(0, 500)}`)
  console.log(
    `open responses: ${result.passed.length} of ${result.passed.length + result.expected.length + result.problems.length} tests passed, ${result.problems.length} problems`,
  )
}

async function directly(version: SpecVersion): Promise<SuiteResult> {
  const known = direct.get(version)
  if (known !== undefined) return known
  const result = await runDirect(version)
  direct.set(version, result)
  report(`${version}, directly`, result, failuresIn(result))
  return result
}

function compareAndReport(name: PairingName, alone: SuiteResult, result: SuiteResult): void {
  const known = middle === "gateway" ? expectedDifferences[name] : []
  const { unexpected, stale, explained } = judge(alone, result, known)
  for (const { scenario, check, through, reason } of explained) {
    console.log(`  expected  ${scenario} ${check}: ${through}. ${reason}`)
  }
  report(`${name}, through ${middle}`, result, [
    ...unexpected.map((found) => {
      return `${found.scenario} ${found.check}: ${found.direct} directly, ${found.through} through. ${found.why}`
    }),
    ...stale.map(({ scenario, check }) => `${scenario} ${check}: expected to differ, and does not any more`),
  ])
}

function report(what: string, result: SuiteResult, found: readonly string[]): void {
  const checks = [...result.values()].flat()
  const passed = checks.filter(({ status }) => status === "SUCCESS").length
  problems += found.length
  for (const line of found) console.log(`  PROBLEM   ${line.slice(0, 500)}`)
  console.log(
    `${what}: ${passed} of ${checks.length} checks passed in ${result.size} scenarios, ${found.length} problems`,
  )
}
