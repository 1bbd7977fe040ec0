import type { ToolDefinition } from "@byleave/core"
import { expect, it } from "vitest"
import { definitionSize } from "./gate/definition-size.ts"
import { createProgramShares, programShare } from "./program-shares.ts"

const toolsOf = (count: number, prefix = "t") =>
  Array.from({ length: count }, (_, at) => ({ name: `${prefix}${at}`, inputSchema: { type: "object" } }))

/** The known sizes by credential, as a store would keep them. Nobody waits: what would be waited is counted. */
function open() {
  const known = new Map<string, Map<string, Map<string, number>>>()
  const seen = { turns: 0, restMs: 0, askedFor: 0 }
  const shares = createProgramShares({
    knownOf: async (credential) => {
      seen.askedFor += 1
      return known.get(credential) ?? new Map()
    },
    pace: {
      now: () => 0,
      pause: async (ms) => {
        seen.restMs += ms
      },
    },
    nextTurn: async () => {
      seen.turns += 1
    },
  })
  const tell = async (
    credential: string,
    server: string,
    tools: readonly ToolDefinition[] = toolsOf(1),
    changes: number = 0,
    until: Promise<unknown> = Promise.resolve(),
  ): Promise<string | null> => {
    const refused = await shares.within(
      { token: credential, program: "" },
      {
        ...{ server, tools, changes: () => changes },
        makeKnown: async () => {
          await until
          const own = known.get(credential) ?? new Map<string, Map<string, number>>()
          const sizes = tools.map((tool) => [tool.name, definitionSize(tool).bytes] as const)
          known.set(credential, own.set(server, new Map([...(own.get(server) ?? []), ...sizes])))
        },
      },
    )
    return refused === null ? null : `${refused.code}: ${refused.detail}`
  }
  return { known, tell, seen }
}

it("I1: a credential tells of as many servers as it may, also at once; of those it has it tells again, and another's count for itself", async () => {
  const { known, tell } = open()
  const told = await Promise.all(Array.from({ length: 210 }, (_, at) => tell("prog", `s${at}`)))
  expect(told.filter((refused) => refused === null)).toHaveLength(programShare.servers)
  expect(told.at(-1)).toMatch(/200 servers here.*another credential/)
  expect(known.get("prog")?.size).toBe(programShare.servers)
  expect(await tell("prog", "s7", toolsOf(3))).toBeNull()
  expect(await tell("other", "s500")).toBeNull()
})

it("I1: its servers have as many tools together as they may, under whatever names", async () => {
  const { tell } = open()
  expect(await tell("prog", "one", toolsOf(6_000))).toBeNull()
  expect(await tell("prog", "two", toolsOf(4_001))).toMatch(/more than 10000 tools together/)
  expect(await tell("prog", "one", toolsOf(4_001, "u"))).toMatch(/more than 10000 tools/)
  expect(await tell("prog", "two", toolsOf(4_000))).toBeNull()
  expect(await tell("prog", "one", toolsOf(6_000))).toBeNull()
})

it("I1: its servers' tools are described in as many characters together as they may", async () => {
  const { tell } = open()
  const long = toolsOf(4).map((tool) => ({ ...tool, description: "d".repeat(4_000_000) }))
  expect(await tell("prog", "one", long)).toBeNull()
  expect(await tell("prog", "two", long)).toMatch(/more than 32 MB together.*Shorten/)
  expect(await tell("prog", "one", long)).toBeNull()
  expect(await tell("prog", "two", toolsOf(4))).toBeNull()
})

it("I1: tiny values count by the memory they take up, not by their characters", async () => {
  const { tell } = open()
  const tiny = { name: "t", inputSchema: { default: Array.from({ length: 40_000 }, () => []) } }
  const told: unknown[] = []
  for (let at = 0; at < 20; at++) told.push(await tell("prog", `s${at}`, [tiny]))
  expect(told.filter((refused) => refused === null)).toHaveLength(15)
  expect(told.at(-1)).toMatch(/^too-many: .*32 MB together/)
})

it("I2: everybody else has a turn before each telling that waited, and no more of them wait than may", async () => {
  const { tell, seen } = open()
  const { promise, resolve } = Promise.withResolvers<void>()
  const tellings = Array.from({ length: 300 }, () => tell("prog", "one", toolsOf(1), 0, promise))
  const others = await tell("other", "two")
  expect(others).toBeNull()
  resolve()
  const told = await Promise.all(tellings)
  expect(told.filter((refused) => refused === null)).toHaveLength(256)
  expect(told.at(-1)).toMatch(/^too-busy: .*Nothing was done. Try again/)
  expect(seen).toMatchObject({ turns: 257, askedFor: 257 })
  expect(await tell("prog", "one")).toBeNull()
})

it("I2: large tellings that wait are fewer", async () => {
  const { tell } = open()
  const large = toolsOf(1).map((tool) => ({ ...tool, description: "d".repeat(7_000_000) }))
  const told = await Promise.all(Array.from({ length: 20 }, () => tell("prog", "one", large)))
  expect(told.filter((refused) => refused === null)).toHaveLength(9)
  expect(await tell("prog", "one", large)).toBeNull()
})

it("I2: after a telling of many changes the credential's next one rests, of whatever server, and nobody else's", async () => {
  const { tell, seen } = open()
  await tell("prog", "one", toolsOf(100), 100)
  expect(seen.restMs).toBe(0)
  await tell("other", "two")
  expect(seen.restMs).toBe(0)
  await tell("prog", "three")
  expect(seen.restMs).toBe(2_000)
  await tell("prog", "three")
  expect(seen.restMs).toBe(2_000)
})
