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

// The suite gives some answers half a second, which a busy machine may miss once.
describe("the official conformance suite", { timeout: 300_000, retry: 1 }, () => {
  const direct = new Map<SpecVersion, SuiteResult>()
  async function directly(version: SpecVersion): Promise<SuiteResult> {
    const result = direct.get(version) ?? (await runDirect(version))
    if (failuresIn(result).length === 0) direct.set(version, result)
    return result
  }

  it.each(versions)("%s: the fixture passes every check, scored or not", async (version) => {
    const result = await directly(version)
    expect(result.size).toBe(scenarioCount[version])
    expect(failuresIn(result)).toEqual([])
  })

  it("a proxy that forwards bytes makes no difference", async () => {
    const through = await runThrough("legacy client, dual server", startByteProxy)
    expect(compare(await directly("2025-11-25"), through)).toEqual([])
  })

  it.each(pairingNames)("R104: %s: the gateway makes no difference but those the protocol forces", async (name) => {
    const through = await runThrough(name, startGateway)
    const { unexpected, stale } = judge(await directly(versionOf(name)), through, expectedDifferences[name])
    expect({ unexpected, stale }).toEqual({ unexpected: [], stale: [] })
  })

  it.each(clientScenarios)("%s %s: the gateway passes as a client", async (version, scenario) => {
    expect(failuresIn(await drive(version, scenario, "gateway"))).toEqual([])
  })
})
