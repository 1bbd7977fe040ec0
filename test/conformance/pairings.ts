import { type Fixture, type FixtureEra, startFixture } from "./fixture-server.ts"
import { runSuite, type SpecVersion, type SuiteResult } from "./run-suite.ts"

/** Who is in front, by the revision its suite speaks, and who is behind. */
const pairings = {
  "legacy client, dual server": { version: "2025-11-25", era: "dual" },
  "modern client, dual server": { version: "2026-07-28", era: "dual" },
  "modern client, legacy server": { version: "2026-07-28", era: "legacy" },
  "legacy client, modern server": { version: "2025-11-25", era: "modern" },
  "legacy client, legacy server": { version: "2025-11-25", era: "legacy" },
} as const satisfies Record<string, { readonly version: SpecVersion; readonly era: FixtureEra }>

export type PairingName = keyof typeof pairings
export const pairingNames = Object.keys(pairings) as readonly PairingName[]
export const versionOf = (name: PairingName): SpecVersion => pairings[name].version

/** Something that stands in front of a server, such as the gateway. */
export type Middle = (upstream: string) => Promise<Fixture>

/** The dual server by itself: what every pairing is held against. */
export async function runDirect(version: SpecVersion): Promise<SuiteResult> {
  const fixture = await startFixture({ era: "dual" })
  try {
    return await runSuite({ url: fixture.url, version })
  } finally {
    await fixture.close()
  }
}

export async function runThrough(name: PairingName, middle: Middle): Promise<SuiteResult> {
  const fixture = await startFixture({ era: pairings[name].era })
  const front = await middle(fixture.url)
  try {
    return await runSuite({ url: front.url, version: pairings[name].version })
  } finally {
    await front.close()
    await fixture.close()
  }
}
