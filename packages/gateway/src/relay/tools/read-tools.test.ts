import { fileURLToPath } from "node:url"
import type { JsonObject } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import type { Relay } from "../fixtures/open-relay.ts"
import {
  ask,
  callOf,
  legacyCaller,
  nodeServer,
  openRelay,
  policyOf,
  resultOf,
  rule,
  textOf,
} from "../fixtures/open-relay.ts"
import { limitTools, type ToolListLimits } from "./read-tools.ts"

const main = fileURLToPath(new URL("../fixtures/long-list-server.ts", import.meta.url))
const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

/** The list of a server as the gateway reads it, and how often it asked for a page. */
async function listOf(pages: number, each: number, size: number, toolList?: Partial<ToolListLimits>) {
  const server = { ...nodeServer("long", [main, `${pages}`, `${each}`, `${size}`]), ...(toolList && { toolList }) }
  const relay = await openRelay([server], { policy: policyOf([rule("allow", "long(*)")]) })
  opened.push(relay)
  const backend = relay.backend("long")
  const { relay: parts } = relay.backends.get("long") ?? {}
  const tools = await parts?.connections.common().tools.tools()
  const asked = async () =>
    Number(/\d+/.exec(textOf(await resultOf(ask(backend, legacyCaller(), callOf("asked")))))?.[0])
  return { backend, names: [...(tools?.keys() ?? [])], cut: parts?.tools.cut() ?? null, asked }
}

describe("a tool list", () => {
  it("within the limits is read whole", async () => {
    const { names, cut, asked } = await listOf(3, 2, 10)
    expect(names).toEqual(["asked", "tool-0-0", "tool-1-0", "tool-1-1", "tool-2-0", "tool-2-1"])
    expect(cut).toBeNull()
    expect(await asked()).toBe(3)
  })

  it("I1, I2: of more bytes than allowed is read no further, and says so; 100 pages of 15 MB are one", async () => {
    const { names, cut, asked } = await listOf(100, 2, 15_000_000)
    expect(names).toEqual(["asked"])
    expect(cut).toBe(
      "The server lists more than 8 MiB of tool definitions. Only the first tool is offered; calls to the others are refused.",
    )
    expect(await asked()).toBe(1)
  })

  it.each([
    { name: "tools", pages: 4, limits: { tools: 3 }, asked: 2, count: 3, words: "more than 3 tools" },
    { name: "pages", pages: 4, limits: { pages: 2 }, asked: 2, count: 4, words: "more than 2 pages" },
    { name: "bytes", pages: 4, limits: { bytes: 250 }, asked: 2, count: 3, words: "more than 250 bytes" },
    { name: "time", pages: 4, limits: { ms: 0 }, asked: 1, count: 2, words: "longer than 0 s" },
  ])(
    "I1, I2: of more $name than allowed is read no further, and says so",
    async ({ pages, limits, words, ...wanted }) => {
      const { names, cut, asked } = await listOf(pages, 2, 20, limits)
      expect(names).toHaveLength(wanted.count)
      expect(cut).toContain(words)
      expect(await asked()).toBe(wanted.asked)
    },
  )

  it("that was cut is not read again for each page an agent asks for, and what lies beyond is no tool", async () => {
    const { backend, asked } = await listOf(4, 2, 20, { tools: 3 })
    const before = await asked()
    const pageOf = (params: JsonObject) => resultOf(ask(backend, legacyCaller(), { method: "tools/list", params }))
    const first = await pageOf({})
    expect(first).toMatchObject({ tools: [{ name: "asked" }, { name: "tool-0-0" }] })
    const last = await pageOf({ cursor: String(first.nextCursor) })
    expect(last).toMatchObject({ tools: [{ name: "tool-1-0" }] })
    expect(last).not.toHaveProperty("nextCursor")
    expect((await asked()) - before).toBe(2)
    const reply = await ask(backend, legacyCaller(), callOf("tool-3-1")).reply
    expect(JSON.stringify(reply)).toContain("tool-3-1")
    expect(JSON.stringify(reply)).not.toContain('"text":"')
  })

  it("I1: that comes on one page is cut as one of several is", () => {
    const tools = ["a", "b", "c"].map((name) => ({ name, inputSchema: { type: "object" } }))
    const limits = { pages: 1, tools: 2, bytes: 1_000, values: 1_000, ms: 1, goodMs: 1 }
    expect(limitTools(tools, limits)).toMatchObject({
      tools: tools.slice(0, 2),
      cut: expect.stringContaining("2 tools"),
    })
  })

  it("I1: that has many small values is cut, however short its text is", () => {
    const tools = ["a", "b", "c"].map((name) => ({
      name,
      inputSchema: { enum: Array.from({ length: 400 }, () => []) },
    }))
    const limits = { pages: 1, tools: 10, bytes: 100_000, values: 1_000, ms: 1, goodMs: 1 }
    expect(limitTools(tools, limits)).toMatchObject({
      tools: tools.slice(0, 2),
      cut: expect.stringContaining("1000 values"),
    })
  })
})
