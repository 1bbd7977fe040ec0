import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { gated } from "@byleave/adapters/ai-sdk"
import { gated as claudeGated } from "@byleave/adapters/claude-agent"
import { createHolds } from "@byleave/adapters/pause"
import { createRemoteGate, fetchTransport } from "@byleave/api"
import type { Approval, CallerGate } from "@byleave/core"
import { newId } from "@byleave/core/node"
import { getRequestListener } from "@hono/node-server"
import { afterEach, describe, expect, it } from "vitest"
import { openGateRoutes } from "../../packages/server/src/gate/gate-context.ts"
import { gateRoutes } from "../../packages/server/src/gate/gate-routes.ts"
import { type Engine, nay, openEngine, policyOf, rule, yes } from "./open-engine.ts"

const stops: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const policy = policyOf([
  rule("hide", "files(admin_*)"),
  rule("deny", "files(delete_file)"),
  rule("allow", "files(read_file)"),
])

describe("an adapter before the gate of a running service", () => {
  it("R8, R82: runs here what is allowed there, and waits, or not, for people there", async () => {
    const { engine, gate } = await reach()
    const options = { gate, server: "files", principal: { id: "agent" }, session: "thread" }
    const ran: unknown[] = []
    const execute = async (args: unknown): Promise<unknown> => ran.push(args)
    const files = {
      read_file: { execute },
      write_file: { execute },
      delete_file: { execute },
      admin_reset: { execute },
    }
    const tools = await gated(files, options)
    expect(Object.keys(tools)).toEqual(["read_file", "write_file", "delete_file"])
    await tools.read_file.execute({ path: "a" })
    await expect(tools.delete_file.execute({ path: "a" })).rejects.toThrow("The policy denied it")

    const told = tools.write_file.execute({ path: "b" })
    await engine.gate.answer({ ...yes(await held(engine)), args: { path: "c" } })
    expect(await told).toMatchObject({ "byleave/note": expect.stringContaining("edited the arguments") })

    const { write_file } = await gated(files, { ...options, wait: false })
    expect(await write_file.execute({ path: "d" })).toMatchObject({ requiresPermission: true, isError: false })
    await engine.gate.answer(yes(await held(engine)))
    await write_file.execute({ path: "d" })
    expect(ran).toEqual([{ path: "a" }, { path: "c" }, { path: "d" }])
  })

  it("settles there when the host tells here how it ended", async () => {
    const { engine, gate } = await reach()
    const files = { server: "files", tools: ["read_file"] }
    const { canUseTool, hooks } = claudeGated({ gate, ...files, principal: { id: "agent" } })
    const { signal } = new AbortController()
    await canUseTool("mcp__files__read_file", {}, { signal, toolUseID: "1" })
    const runs = async () => (await engine.store.records({ limit: 100 })).map(({ type }) => type)
    expect(await runs()).not.toContain("run.succeeded")
    await hooks.PostToolUse[0]?.hooks[0]?.({ hook_event_name: "PostToolUse", ...{ tool_response: "ok" } }, "1")
    await gate.close()
    await expect.poll(runs).toContain("run.succeeded")
  })

  it("a paused host reads there what people said", async () => {
    const { engine, gate } = await reach()
    const holds = createHolds({ gate, server: "files", principal: { id: "agent" }, session: "thread" })
    await holds.hold("1", "write_file", { path: "a" })
    expect(await holds.answers()).toBeNull()
    await engine.gate.answer({ ...nay(await held(engine)), reason: "Not that one." })
    expect((await holds.answers())?.get("1")).toMatchObject({ reason: expect.stringContaining("Not that one.") })
  })
})

async function held({ store }: Engine): Promise<Approval> {
  for (;;) {
    const [summary] = await store.approvals({ statuses: ["pending"], limit: 1 })
    const approval = summary === undefined ? undefined : await store.approval(summary.id)
    if (approval !== undefined) return approval
    await pause(10)
  }
}

async function reach(): Promise<{ readonly engine: Engine; readonly gate: CallerGate }> {
  const engine = await openEngine(policy)
  const routes = gateRoutes(
    openGateRoutes({
      gate: engine.gate,
      identify: async () => ({ token: "program", owner: "Ben" }),
      newId,
      time: Date.now,
      instance: "service",
      keepAliveMs: 1_000,
      maxBodyBytes: 1024 * 1024,
    }),
  )
  const server = createServer((request, response) => void getRequestListener(routes.fetch)(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const gate = createRemoteGate({ transport: fetchTransport({ url, token: "program", fetch }), newId, pause })
  stops.push(async () => {
    await gate.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { engine, gate }
}
