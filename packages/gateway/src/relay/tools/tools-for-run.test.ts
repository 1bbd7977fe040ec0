import type { JsonObject } from "@byleave/core"
import { afterEach, expect, it } from "vitest"
import { openRelay, policyOf, type Relay, rule } from "../fixtures/open-relay.ts"
import { type Scripted, scripted } from "../fixtures/scripted.ts"
import { absentCaller } from "./prepare-run.ts"
import { toolsForRun } from "./tools-for-run.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

const tool = (name: string): JsonObject => ({ name, inputSchema: { type: "object" } })
const who = { principal: { id: "run" }, session: { principal: "run", id: "r", named: true } }
const patient = 20_000

/** Names of the tools that a run is offered, and the servers it is offered none of. */
async function open(...servers: readonly Scripted[]) {
  const policy = policyOf([rule("allow", "*(*)")])
  const relay = await openRelay(
    servers.map(({ server }) => server),
    { policy },
  )
  opened.push(relay)
  const all = relay.backends.all()
  const ids = all.map((backend) => backend.relay.server.id)
  return async (patience: Parameters<typeof toolsForRun>[3]) => {
    const { tools, unreachable } = await toolsForRun(all, who, ids, patience)
    // As if each server had said that its tools changed: the next list is read anew.
    for (const { relay } of all) relay.connections.of(absentCaller({ id: who.session.id, ...who })).tools.changed()
    return { names: tools.map(({ name }) => name), unreachable }
  }
}

const quick = () => scripted("legacy", { "tools/list": { tools: [tool("echo")] } }, "quick")

it("I1: a server that never answered is left out, and the run is told so", async () => {
  const silent = scripted("legacy", { silent: { on: "tools/list" } }, "silent")
  const list = await open(silent, quick())
  await expect
    .poll(() => list({ listMs: 200 }))
    .toEqual({ names: ["quick__echo"], unreachable: [{ server: "silent", detail: "It did not answer in time." }] })
})

it("I1: what a server listed before stands for it while it does not answer, though calls of it were answered", async () => {
  const busy = scripted("legacy", { "tools/list": { tools: [tool("slow")] } }, "busy")
  const list = await open(busy, quick())
  const names = ["busy__slow", "quick__echo"]
  expect(await list({ listMs: patient })).toEqual({ names, unreachable: [] })
  busy.answers({ silent: { on: "tools/list" } })
  expect(await list({ listMs: 200, needed: ["busy"] })).toEqual({ names, unreachable: [] })
})

it("a server whose calls were answered, and of which nothing is known, is waited for", async () => {
  const list = await open(quick())
  expect(await list({ listMs: 0, needed: ["quick"] })).toEqual({ names: ["quick__echo"], unreachable: [] })
})
