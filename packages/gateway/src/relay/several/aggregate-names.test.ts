import type { ToolDefinition } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { legacyCaller } from "../fixtures/open-relay.ts"
import type { ServerBackend } from "../server-backend.ts"
import type { ToolMap } from "../tools/tool-list.ts"
import { createAggregateNames } from "./aggregate-names.ts"

/** As much of a server as its names are made of. */
function server(id: string, tools: () => Promise<ToolMap>): ServerBackend & { readonly reads: () => number } {
  let last: ToolMap | null = null
  let reads = 0
  const read = async (): Promise<ToolMap> => {
    reads += 1
    last = await tools()
    return last
  }
  const connection = { tools: { tools: read, again: read, last: () => last } }
  const relay = { server: { id }, context: { log: () => {} }, connections: { of: () => connection } }
  return { relay, reads: () => reads } as unknown as ServerBackend & { readonly reads: () => number }
}

const listing = (...names: readonly string[]): ToolMap =>
  new Map(names.map((name) => [name, { name, inputSchema: { type: "object" } } satisfies ToolDefinition]))
const never = (): Promise<ToolMap> => new Promise(() => {})

describe("names of all servers' tools", () => {
  it("I1: are made anew when a server lists something else", async () => {
    let tools = listing("read-file")
    const a = server("a", async () => tools)
    const names = createAggregateNames()
    const find = (name: string) => names.find([a, server("b", never)], legacyCaller(), name)
    expect(await find("a__read-file")).toEqual({ server: "a", tool: "read-file" })
    tools = listing("read-file", "read_file")
    await a.relay.connections.of(legacyCaller()).tools.tools()
    expect(await find("a__read-file")).toBeUndefined()
    const known = (await names.known([a], legacyCaller()))("a")
    expect(known?.nameOf("read_file")).toMatch(/^a__read_file_[0-9a-f]{8}$/)
  })

  it("I1: lead to no other server's tool when the one they were made for is gone, whoever comes first", async () => {
    let isBroken = false
    const one = server("a", async () => listing("b__c"))
    const other = server("a__b", () => (isBroken ? Promise.reject(new Error("gone")) : Promise.resolve(listing("c"))))
    const names = createAggregateNames()
    await other.relay.connections.of(legacyCaller()).tools.tools()
    const told = (await names.known([one, other], legacyCaller()))("a__b")?.nameOf("c") ?? ""
    expect(await names.find([one, other], legacyCaller(), told)).toEqual({ server: "a__b", tool: "c" })
    isBroken = true
    await other.relay.connections
      .of(legacyCaller())
      .tools.tools()
      .catch(() => {})
    expect((await names.find([one, other], legacyCaller(), told))?.server).not.toBe("a")
    expect(await names.find([one, other], legacyCaller(), "a__b__c")).toBeUndefined()
  })

  it("I2: stay as they are when another server fails", async () => {
    const servers = [server("a", async () => listing("echo")), server("b", () => Promise.reject(new Error("gone")))]
    const names = createAggregateNames()
    expect(await names.find(servers, legacyCaller(), "a__echo")).toEqual({ server: "a", tool: "echo" })
    expect(await names.find(servers, legacyCaller(), "b__x")).toBeUndefined()
  })

  it("I3: are looked up without a word to servers they cannot lead to, and in what is known before anything is read", async () => {
    const [a, b] = [server("a", async () => listing("echo")), server("b", never)]
    const names = createAggregateNames()
    for (let at = 0; at < 3; at += 1)
      expect(await names.find([a, b], legacyCaller(), "a__echo")).toEqual({ server: "a", tool: "echo" })
    expect([a.reads(), b.reads()]).toEqual([1, 0])
    expect(await names.find([a, b], legacyCaller(), "c__echo")).toBeUndefined()
    expect([a.reads(), b.reads()]).toEqual([1, 0])
  })
})
