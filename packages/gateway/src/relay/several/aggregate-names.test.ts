import type { ToolDefinition } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { legacyCaller } from "../fixtures/open-relay.ts"
import type { ServerBackend } from "../server-backend.ts"
import type { ToolMap } from "../tools/tool-list.ts"
import { createAggregateNames } from "./aggregate-names.ts"

/** As much of a server as its names are made of. */
function server(id: string, tools: () => Promise<ToolMap>): ServerBackend {
  const connection = { tools: { tools, again: tools } }
  const relay = { server: { id }, context: { log: () => {} }, connections: { of: () => connection } }
  return { relay } as unknown as ServerBackend
}

const listing = (...names: readonly string[]): ToolMap =>
  new Map(names.map((name) => [name, { name, inputSchema: { type: "object" } } satisfies ToolDefinition]))

describe("names of all servers' tools", () => {
  it("I1: are made anew when a server lists something else", async () => {
    let tools = listing("read-file")
    const servers = [server("a", async () => tools), server("b", async () => listing("x"))]
    const names = createAggregateNames()
    expect((await names(servers, legacyCaller(), false)).toolOf("a__read-file")).toEqual({
      server: "a",
      tool: "read-file",
    })
    tools = listing("read-file", "read_file")
    const after = await names(servers, legacyCaller(), false)
    expect(after.toolOf("a__read-file")).toBeUndefined()
    expect(after.nameOf({ server: "a", tool: "read_file" })).toMatch(/^a__read_file_[0-9a-f]{8}$/)
  })

  it("I2: stay as they are when another server fails", async () => {
    let isBroken = false
    const other = server("b", () => (isBroken ? Promise.reject(new Error("gone")) : Promise.resolve(listing("x"))))
    const servers = [server("a", async () => listing("echo")), other]
    const names = createAggregateNames()
    expect((await names(servers, legacyCaller(), false)).toolOf("b__x")).toBeDefined()
    isBroken = true
    const after = await names(servers, legacyCaller(), true)
    expect(after.toolOf("a__echo")).toEqual({ server: "a", tool: "echo" })
    expect(after.toolOf("b__x")).toBeUndefined()
  })
})
