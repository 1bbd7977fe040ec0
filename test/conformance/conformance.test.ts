import { describe, expect, it } from "vitest"
import { startByteProxy } from "./byte-proxy.ts"
import { clientScenarios, drive } from "./client-leg/scenarios.ts"
import { compare, failuresIn } from "./compare.ts"
import { expectedDifferences } from "./expected-differences.ts"
import { startGateway } from "./gateway-middle.ts"
import { judge } from "./judge.ts"
import { pairingNames, runDirect, runThrough, versionOf } from "./pairings.ts"
import type { SpecVersion, SuiteResult } from "./run-suite.ts"

const versions: readonly SpecVersion[] = ["2025-11-25", "2026-07-28"]
const scenarioCount = { "2025-11-25": 33, "2026-07-28": 50 } as const satisfies Record<SpecVersion, number>

/**
 * `npm run nightly` takes all of it; other runs the legacy revision in front, whose requests are the more complicated ones, and, as a client, those
 * scenarios of both that all the others build on.
 */
const everything = process.env.BYLEAVE_NIGHTLY !== undefined
const pairings = everything ? pairingNames : pairingNames.filter((name) => name === "legacy client, dual server")
const revisions = everything ? versions : versions.filter((version) => version === "2025-11-25")
const inShort = new Set(["tools_call", "sse-retry", "http-custom-headers"])
const asClient = clientScenarios.filter(([, scenario]) => everything || inShort.has(scenario))

describe("the official conformance suite", { timeout: 300_000 }, () => {
  const direct = new Map<SpecVersion, SuiteResult>()
  async function directly(version: SpecVersion): Promise<SuiteResult> {
    const result = direct.get(version) ?? (await runDirect(version))
    if (failuresIn(result).length === 0) direct.set(version, result)
    return result
  }

  it.each(revisions)("%s: the fixture passes every check, scored or not", async (version) => {
    const result = await directly(version)
    expect(result.size).toBe(scenarioCount[version])
    expect(failuresIn(result)).toEqual([])
  })

  if (everything) {
    it("a proxy that forwards bytes makes no difference", async () => {
      const through = await runThrough("legacy client, dual server", startByteProxy)
      expect(compare(await directly("2025-11-25"), through)).toEqual([])
    })
  }

  it.each(pairings)("R104: %s: the gateway makes no difference but those the protocol forces", async (name) => {
    const through = await runThrough(name, startGateway)
    const { unexpected, stale } = judge(await directly(versionOf(name)), through, expectedDifferences[name])
    expect({ unexpected, stale }).toEqual({ unexpected: [], stale: [] })
  })

  it.each(asClient)("%s %s: the gateway passes as a client", async (version, scenario) => {
    expect(failuresIn(await drive(version, scenario, "gateway"))).toEqual([])
  })
})
