import { expect, it } from "vitest"
import { createProgramShares, programShare } from "./program-shares.ts"

const toolsOf = (count: number, prefix = "t") =>
  Array.from({ length: count }, (_, at) => ({ name: `${prefix}${at}`, inputSchema: { type: "object" } }))

/** The known sizes by credential, as a store would keep them. */
function open() {
  const known = new Map<string, Map<string, Map<string, number>>>()
  const shares = createProgramShares(async (credential) => known.get(credential) ?? new Map())
  const tell = (credential: string, server: string, tools = toolsOf(1)) =>
    shares.within(credential, { server, tools }, async () => {
      await Promise.resolve()
      const own = known.get(credential) ?? new Map<string, Map<string, number>>()
      const sizes = tools.map((tool) => [tool.name, JSON.stringify(tool).length] as const)
      known.set(credential, own.set(server, new Map([...(own.get(server) ?? []), ...sizes])))
    })
  return { known, tell }
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
