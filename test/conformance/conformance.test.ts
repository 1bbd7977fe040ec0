import { beforeAll, describe, expect, it } from "vitest"
import { startByteProxy } from "./byte-proxy.ts"
import { compare, failuresIn } from "./compare.ts"
import { runDirect, runThrough } from "./pairings.ts"
import type { SpecVersion, SuiteResult } from "./run-suite.ts"

const versions: readonly SpecVersion[] = ["2025-11-25", "2026-07-28"]
const scenarioCount = { "2025-11-25": 33, "2026-07-28": 50 } as const satisfies Record<SpecVersion, number>

describe("the official conformance suite", { timeout: 180_000 }, () => {
  const direct = new Map<SpecVersion, Promise<SuiteResult>>()
  beforeAll(() => {
    for (const version of versions) direct.set(version, runDirect(version))
  })
  const directly = (version: SpecVersion) => direct.get(version) ?? runDirect(version)

  it.concurrent.each(versions)("%s: the fixture passes every check, scored or not", async (version) => {
    const result = await directly(version)
    expect(result.size).toBe(scenarioCount[version])
    expect(failuresIn(result)).toEqual([])
  })

  it.concurrent("a proxy that forwards bytes makes no difference", async () => {
    const through = await runThrough("legacy client, dual server", startByteProxy)
    expect(compare(await directly("2025-11-25"), through)).toEqual([])
  })
})
