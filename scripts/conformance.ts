// The official conformance suite, directly and through the gateway: every check that differs, and why.
import { parseArgs } from "node:util"
import { startByteProxy } from "../test/conformance/byte-proxy.ts"
import { failuresIn } from "../test/conformance/compare.ts"
import { expectedDifferences } from "../test/conformance/expected-differences.ts"
import { judge } from "../test/conformance/judge.ts"
import { type Middle, pairingNames, runDirect, runThrough, versionOf } from "../test/conformance/pairings.ts"
import type { SpecVersion, SuiteResult } from "../test/conformance/run-suite.ts"

const { values } = parseArgs({
  options: {
    through: { type: "string", default: "gateway" },
    only: { type: "string", default: "" },
  },
})
const middle = await middleOf(values.through)
const direct = new Map<SpecVersion, SuiteResult>()
let problems = 0

for (const name of pairingNames.filter((pairing) => pairing.includes(values.only))) {
  const version = versionOf(name)
  const alone = direct.get(version) ?? (await runDirect(version))
  if (!direct.has(version)) report(`${version} directly`, alone, failuresIn(alone))
  direct.set(version, alone)
  const through = await runThrough(name, middle)
  const { unexpected, stale, explained } = judge(
    alone,
    through,
    values.through === "gateway" ? expectedDifferences[name] : [],
  )
  for (const { scenario, check, through: status, reason } of explained) {
    console.log(`  as expected  ${scenario} ${check}: ${status}. ${reason}`)
  }
  report(`${version} through the ${values.through}: ${name}`, through, [
    ...unexpected.map(
      ({ scenario, check, ...was }) => `${scenario} ${check}: ${was.direct} → ${was.through}. ${was.why}`,
    ),
    ...stale.map(({ scenario, check }) => `${scenario} ${check}: expected to differ, and does not any more`),
  ])
}
process.exitCode = problems === 0 ? 0 : 1

function report(what: string, result: SuiteResult, found: readonly string[]): void {
  const checks = [...result.values()].flat()
  const passed = checks.filter(({ status }) => status === "SUCCESS").length
  problems += found.length
  for (const line of found) console.log(`  PROBLEM  ${line.slice(0, 600)}`)
  console.log(
    `${what}: ${result.size} scenarios, ${passed} of ${checks.length} checks passed, ${found.length} problems`,
  )
}

async function middleOf(name: string): Promise<Middle> {
  if (name === "bytes") return startByteProxy
  if (name !== "gateway") throw new Error("--through is gateway or bytes")
  throw new Error("The gateway is not there yet")
}
