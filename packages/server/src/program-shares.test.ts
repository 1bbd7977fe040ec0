import type { ToolDefinition } from "@byleave/core"
import { expect, it } from "vitest"
import { definitionSize } from "./gate/definition-size.ts"
import { createProgramShares, programShare } from "./program-shares.ts"

const toolsOf = (count: number, prefix = "t") =>
  Array.from({ length: count }, (_, at) => ({ name: `${prefix}${at}`, inputSchema: { type: "object" } }))

type Told = {
  readonly tools?: readonly ToolDefinition[]
  readonly changes?: number
  readonly program?: string
  readonly until?: Promise<unknown>
}

/** The known sizes by credential, as a store would keep them. Nobody waits unless `resting` is set: what would be waited is counted. */
function open() {
  const known = new Map<string, Map<string, Map<string, number>>>()
  const seen = {
    ...{ turns: 0, restMs: 0, askedFor: 0, now: 0, takesMs: 0 },
    resting: null as PromiseWithResolvers<void> | null,
    known: (credential: string) => [...(known.get(credential)?.keys() ?? [])],
  }
  const shares = createProgramShares({
    knownOf: async (credential) => {
      seen.askedFor += 1
      return known.get(credential) ?? new Map()
    },
    pace: {
      now: () => seen.now,
      pause: async (ms) => {
        seen.restMs += ms
        await seen.resting?.promise
      },
    },
    nextTurn: async () => {
      seen.turns += 1
    },
  })
  const tell = async (credential: string, server: string, told: Told = {}): Promise<string | null> => {
    const { tools = toolsOf(1), changes = 0, program = "", until } = told
    const refused = await shares.within(
      { token: credential, program },
      {
        ...{ server, tools, changes: () => changes },
        makeKnown: async () => {
          await until
          seen.now += seen.takesMs
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
  expect(await tell("prog", "s7", { tools: toolsOf(3) })).toBeNull()
  expect(await tell("other", "s500")).toBeNull()
})

it("I1: its servers have as many tools together as they may, under whatever names", async () => {
  const { tell } = open()
  expect(await tell("prog", "one", { tools: toolsOf(6_000) })).toBeNull()
  expect(await tell("prog", "two", { tools: toolsOf(4_001) })).toMatch(/more than 10000 tools together/)
  expect(await tell("prog", "one", { tools: toolsOf(4_001, "u") })).toMatch(/more than 10000 tools/)
  expect(await tell("prog", "two", { tools: toolsOf(4_000) })).toBeNull()
  expect(await tell("prog", "one", { tools: toolsOf(6_000) })).toBeNull()
})

it("I1: its servers' tools are described in as many characters together as they may", async () => {
  const { tell } = open()
  const long = toolsOf(4).map((tool) => ({ ...tool, description: "d".repeat(4_000_000) }))
  expect(await tell("prog", "one", { tools: long })).toBeNull()
  expect(await tell("prog", "two", { tools: long })).toMatch(/more than 32 MB together.*Shorten/)
  expect(await tell("prog", "one", { tools: long })).toBeNull()
  expect(await tell("prog", "two", { tools: toolsOf(4) })).toBeNull()
})

it("I1: tiny values count by the memory they take up, not by their characters", async () => {
  const { tell } = open()
  const tiny = { name: "t", inputSchema: { default: Array.from({ length: 40_000 }, () => []) } }
  const told: unknown[] = []
  for (let at = 0; at < 20; at++) told.push(await tell("prog", `s${at}`, { tools: [tiny] }))
  expect(told.filter((refused) => refused === null)).toHaveLength(15)
  expect(told.at(-1)).toMatch(/^too-many: .*32 MB together/)
})

it("I2: everybody else has a turn before each telling that waited, and no more of them wait than may", async () => {
  const { tell, seen } = open()
  const { promise, resolve } = Promise.withResolvers<void>()
  const tellings = Array.from({ length: 300 }, () => tell("prog", "one", { until: promise }))
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
  const told = await Promise.all(Array.from({ length: 20 }, () => tell("prog", "one", { tools: large })))
  expect(told.filter((refused) => refused === null)).toHaveLength(9)
  expect(await tell("prog", "one", { tools: large })).toBeNull()
})

it("I2: after a telling of many changes the program's next one of that server rests, and no other program's or server's", async () => {
  const { tell, seen } = open()
  await tell("prog", "one", { tools: toolsOf(100), changes: 100, program: "a" })
  await tell("other", "two", { changes: 1 })
  await tell("prog", "three", { changes: 1, program: "a" })
  await tell("prog", "four", { changes: 1, program: "b" })
  await tell("prog", "one", { program: "b" })
  expect(seen.restMs).toBe(0)
  await tell("prog", "one", { program: "a" })
  expect(seen.restMs).toBe(2_000)
})

it("I2: nobody else's telling waits while one rests", async () => {
  const { tell, seen } = open()
  await tell("prog", "one", { changes: 100, program: "a" })
  seen.resting = Promise.withResolvers<void>()
  const rests = tell("prog", "one", { changes: 100, program: "a" })
  expect(await tell("prog", "two", { changes: 1, program: "b" })).toBeNull()
  expect(seen.known("prog")).toEqual(["one", "two"])
  seen.resting.resolve()
  expect(await rests).toBeNull()
})

it("I3: a credential's programs that change something rest together, for a multiple of what the last one's telling took", async () => {
  const { tell, seen } = open()
  seen.takesMs = 200
  await tell("prog", "one", { changes: 5, program: "a" })
  await tell("other", "three", { changes: 1 })
  await tell("prog", "two", { program: "b" })
  expect(seen.restMs).toBe(0)
  await tell("prog", "two", { changes: 1, program: "c" })
  // The telling of what had changed took 200 ms; two others have taken as long since.
  expect(seen.restMs).toBe(200)
})

it("I3: what changes nothing waits for no other program's long telling; a list that is long to compare does", async () => {
  const { tell, seen } = open()
  seen.takesMs = 200
  await tell("prog", "one", { tools: toolsOf(201), program: "a" })
  await tell("prog", "two", { tools: toolsOf(200), program: "b" })
  expect(seen.restMs).toBe(0)
  await tell("prog", "three", { tools: toolsOf(201), program: "c" })
  expect(seen.restMs).toBe(400)
})
