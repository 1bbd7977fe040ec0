import type { JsonObject } from "@byleave/core"
import { listAt } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import { ask, callOf, legacyCaller, openRelay, policyOf, type Relay, resultOf, rule } from "../fixtures/open-relay.ts"
import { type Scripted, scripted } from "../fixtures/scripted.ts"
import { createAggregateBackend } from "./aggregate-backend.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

const tool = (name: string): JsonObject => ({ name, inputSchema: { type: "object" } })
const ran: JsonObject = { content: [{ type: "text", text: "ran" }] }
const shortly = { listMs: 50, helloMs: 2_000 }

async function open(...servers: readonly Scripted[]) {
  const policy = policyOf([rule("allow", "*(*)")])
  const relay = await openRelay(
    servers.map(({ server }) => server),
    { policy },
  )
  opened.push(relay)
  return createAggregateBackend(relay.backends, shortly)
}

const namesIn = (result: JsonObject, member: string, key: string): readonly unknown[] =>
  (listAt(result, member) ?? []).map((entry) => (entry as JsonObject)[key])

describe("all servers behind one path", () => {
  it("can do what any of them can, however much a server says that it can do", async () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`x${n}`, {}]))
    const hello = (capabilities: JsonObject) => ({
      initialize: { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "s", version: "1" } },
    })
    const one = scripted("legacy", hello({ ...many, tools: { listChanged: false } }), "one")
    const two = scripted("legacy", hello({ tools: { listChanged: true }, logging: {} }), "two")
    const { capabilities } = await (await open(one, two)).hello(legacyCaller())
    expect(capabilities).toMatchObject({ tools: { listChanged: true }, logging: {}, x49999: {} })
  })

  it("a server that does not answer keeps nobody from the tools of another", async () => {
    const busy = scripted("legacy", { "tools/list": { tools: [tool("slow")] } }, "busy")
    const quick = scripted("legacy", { "tools/list": { tools: [tool("echo")] }, "tools/call": ran }, "quick")
    const all = await open(busy, quick)
    const list = () => resultOf(ask(all, legacyCaller(), { method: "tools/list" }))
    await expect.poll(async () => namesIn(await list(), "tools", "name")).toEqual(["busy__slow", "quick__echo"])
    busy.answers({ silent: { on: "tools/list" } })
    // Of the one that is silent those stay that it listed before.
    expect(namesIn(await list(), "tools", "name")).toEqual(["busy__slow", "quick__echo"])
    expect(await resultOf(ask(all, legacyCaller(), callOf("quick__echo")))).toEqual(ran)
  })

  it("a server that never answered is missing from lists, and no error of the others", async () => {
    const silent = scripted("legacy", { silent: { on: "tools/list" } }, "silent")
    const quick = scripted("legacy", { "tools/list": { tools: [tool("echo")] } }, "quick")
    const all = await open(silent, quick)
    const list = () => resultOf(ask(all, legacyCaller(), { method: "tools/list" }))
    await expect.poll(async () => namesIn(await list(), "tools", "name")).toEqual(["quick__echo"])
  })

  it("an address that an agent was told stays with its server, though one before it comes to list the same", async () => {
    const resource = { uri: "note:a", name: "a" }
    const contents = (text: string): JsonObject => ({ contents: [{ uri: "note:a", text }] })
    const first = scripted(
      "legacy",
      { "resources/list": { resources: [] }, "resources/read": contents("first") },
      "first",
    )
    const second = scripted(
      "legacy",
      { "resources/list": { resources: [resource] }, "resources/read": contents("second") },
      "second",
    )
    const all = await open(first, second)
    const list = () => resultOf(ask(all, legacyCaller(), { method: "resources/list" }))
    const read = () => resultOf(ask(all, legacyCaller(), { method: "resources/read", params: { uri: "note:a" } }))
    await expect.poll(async () => namesIn(await list(), "resources", "uri")).toEqual(["note:a"])
    first.answers({ "resources/list": { resources: [resource] }, "resources/read": contents("first") })
    expect(await read()).toMatchObject(contents("second"))
    await list()
    expect(await read()).toMatchObject(contents("first"))
  })
})
