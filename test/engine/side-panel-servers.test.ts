/** Servers of the side panel that stands alone: permissions, accepted tools and waiting calls are for a name at an address. */
import type { Call, ToolDefinition } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { forgetAllBut, seeServer } from "../../apps/side-panel/src/standalone/known-servers.ts"
import { ana, callOf, holdCall, openEngine, yes } from "./open-engine.ts"

const first = "http://127.0.0.1:3001/mcp"
const second = "http://127.0.0.1:3002/mcp"
const create: ToolDefinition = { name: "create", description: "Creates.", inputSchema: { type: "object" } }

/** A panel's gate and store; `listAt` lists the server's tool at an address, and gives a call of it. */
async function openPanel() {
  const engine = await openEngine()
  const listAt = async (address: string, server = "tracker"): Promise<Call> => {
    const [definition] = await seeServer(engine, server, { tools: [create], address })
    return callOf(`${server}(create)`, { text: "plan" }, definition === undefined ? {} : { listed: { definition } })
  }
  const always = (server = "tracker") =>
    engine.gate.addGrant({ effect: "allow", breadth: { kind: "tool", server, tool: "create" } }, ana)
  const effectOf = async (call: Call) =>
    (await engine.gate.judge({ server: call.tool.server, kind: "tool", name: "create" }, call.args, call)).effect
  const accept = async () => {
    const pin = (await engine.store.decisionState()).pins.find(({ server }) => server === "tracker")
    return engine.gate.acceptDefinition({ server: "tracker", tool: "create" }, pin?.proposed?.fingerprint ?? "", ana)
  }
  return { ...engine, listAt, always, effectOf, accept }
}

describe("I1: a permission is for one address", () => {
  it("another one under the same name is a changed server, and what was allowed does not hold there, accepted or not", async () => {
    const panel = await openPanel()
    const there = await panel.listAt(first)
    await panel.always()
    expect(await panel.effectOf(there)).toBe("allow")
    const elsewhere = await panel.listAt(second)
    const { pins } = await panel.store.decisionState()
    expect(pins).toMatchObject([
      { accepted: { definition: { address: first } }, proposed: { definition: { address: second } } },
    ])
    expect(await panel.effectOf(elsewhere)).toBe("ask")
    expect(await panel.accept()).toBe(true)
    expect(await panel.effectOf(elsewhere)).toBe("ask")
    await panel.always()
    expect(await panel.effectOf(elsewhere)).toBe("allow")
    expect(await panel.effectOf(await panel.listAt(first))).toBe("ask")
    expect(await panel.gate.grants()).toEqual([])
  })

  it("the same address keeps its permissions, however often it is listed", async () => {
    const panel = await openPanel()
    await panel.listAt(first)
    await panel.always()
    expect(await panel.effectOf(await panel.listAt(first))).toBe("allow")
  })

  it("a name whose address was never noted keeps none", async () => {
    const panel = await openPanel()
    await panel.gate.seeTools("tracker", [create])
    await panel.always()
    expect(await panel.effectOf(await panel.listAt(second))).toBe("ask")
    expect(await panel.gate.grants()).toEqual([])
  })

  it("a server cannot say that it is elsewhere", async () => {
    const panel = await openPanel()
    const [definition] = await seeServer(panel, "tracker", { tools: [{ ...create, address: first }], address: second })
    expect(definition).toMatchObject({ address: second })
  })
})

describe("a call that waits or was approved at one address", () => {
  it("is superseded when another address is seen", async () => {
    const panel = await openPanel()
    const { approval } = await holdCall(panel, await panel.listAt(first))
    await panel.listAt(second)
    expect((await panel.gate.approval(approval.id))?.status).toBe("superseded")
    expect(panel.runs).toEqual([])
  })

  it("is not sent over a connection to another one", async () => {
    const panel = await openPanel()
    const call = await panel.listAt(first)
    const until = Promise.resolve()
    const { approval, outcome } = await holdCall(panel, call, until)
    await outcome
    await panel.gate.answer(yes(approval))
    const listed = { definition: { ...create, address: second } }
    expect(await panel.gate.submit({ ...call, listed }, panel.run, { until: async () => undefined })).not.toMatchObject(
      { kind: "result" },
    )
    expect(panel.runs).toEqual([])
  })
})

describe("I2: a server that was removed", () => {
  it("leaves no permission and no accepted tool behind, and its calls are cancelled; others stay", async () => {
    const panel = await openPanel()
    const call = await panel.listAt(first)
    const other = await panel.listAt(second, "notes")
    await panel.always()
    await panel.always("notes")
    const { session } = call
    await panel.gate.addGrant(
      { effect: "allow", breadth: { kind: "server", server: "tracker", access: "all" }, session },
      ana,
    )
    await panel.gate.seeTools("tracker", [create, { ...create, name: "delete" }])
    const { approval } = await holdCall(
      panel,
      callOf("tracker(delete)", {}, { session: { ...session, id: "another" } }),
    )
    await forgetAllBut(panel, ["notes"])
    expect(await panel.gate.approval(approval.id)).toMatchObject({
      status: "cancelled",
      detail: "its server was removed.",
    })
    expect((await panel.gate.grants()).map(({ breadth }) => breadth.server)).toEqual(["notes"])
    expect((await panel.store.decisionState()).pins.map(({ server }) => server)).toEqual(["notes"])
    expect(await panel.effectOf(await panel.listAt(second))).toBe("ask")
    expect(await panel.effectOf(other)).toBe("allow")
  })
})
