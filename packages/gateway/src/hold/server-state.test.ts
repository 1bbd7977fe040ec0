/** A modern server that asks before it acts, and gives a state by which it knows what it asked about. */
import { emptyPolicy, type JsonObject } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import {
  approve,
  ask,
  callOf,
  gateOn,
  memoryStore,
  modernCaller,
  nextHeld,
  openRelay,
  policyOf,
  type Relay,
  type RelaySetting,
  resultOf,
  rule,
  textOf,
  withTasks,
} from "../relay/fixtures/open-relay.ts"
import { type PlainServer, plainServer, plainTool } from "../relay/fixtures/plain-server.ts"

const opened: Relay[] = []
const servers: PlainServer[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
  for (const server of servers.splice(0)) await server.end()
})

const caller = modernCaller({ abilities: { elicitation: {} } })
const answers = { inputResponses: { ok: { action: "accept", content: {} } } }
// Two calls run unasked; the next is held.
const policy = policyOf([rule("allow", "plain(pay)")], { limits: { ...emptyPolicy.limits, autoAllowedPerSession: 2 } })

async function shop(): Promise<PlainServer> {
  let quotes = 0
  const plain = await plainServer({
    era: "modern",
    tools: [plainTool("pay")],
    capabilities: { tools: {}, extensions: { "io.modelcontextprotocol/tasks": {} } },
    answers: (method, { requestState }) => {
      if (method !== "tools/call") return undefined
      if (requestState !== undefined)
        return { resultType: "complete", content: [{ type: "text", text: `paid ${String(requestState)}` }] }
      quotes += 1
      const params = { mode: "form", message: "confirm", requestedSchema: { type: "object", properties: {} } }
      const inputRequests = { ok: { method: "elicitation/create", params } }
      return { resultType: "input_required", inputRequests, requestState: `quote-${quotes}` }
    },
  })
  servers.push(plain)
  return plain
}

async function open(plain: PlainServer, more: RelaySetting = {}) {
  const relay = await openRelay([plain.server], { policy, times: { legMs: 50 }, ...more })
  opened.push(relay)
  const pay = (params: JsonObject, who = caller) =>
    ask(relay.backend("plain"), who, callOf("pay", { to: "bob" }, params))
  return { relay, pay }
}

const paid = (plain: PlainServer) =>
  plain.seen("tools/call").flatMap(({ requestState }) => (requestState === undefined ? [] : [requestState]))

describe("the state of a server", () => {
  it("gated-call I5: that was approved is not another one's yes, and is what runs", async () => {
    const plain = await shop()
    const { relay, pay } = await open(plain)
    const [one, two] = [await resultOf(pay({})), await resultOf(pay({}))].map(({ requestState }) =>
      String(requestState),
    )
    const held = nextHeld(relay.gate)
    const leg = await resultOf(pay({ ...answers, requestState: one ?? "" }))
    const approval = await held
    expect(approval.extraParams).toMatchObject({ requestState: "quote-1", ...answers })
    await approve(relay.gate, approval)
    const next = nextHeld(relay.gate)
    await resultOf(pay({ ...answers, requestState: two ?? "" }))
    expect((await next).id).not.toBe(approval.id)
    expect(paid(plain)).toEqual([])
    // On a slow machine the run takes more than one leg.
    let last = leg
    for (let legs = 0; legs < 200 && last.requestState !== undefined; legs += 1) {
      last = await resultOf(pay({ ...answers, requestState: String(last.requestState) }))
    }
    expect(textOf(last)).toContain("paid quote-1")
    expect(paid(plain)).toEqual(["quote-1"])
  })

  it("gated-call I5: goes with a task that is taken up after a restart", async () => {
    const plain = await shop()
    const store = memoryStore()
    const taskRecords = new Map()
    const who = modernCaller({ abilities: { elicitation: {}, ...withTasks } })
    const first = await open(plain, { store, taskRecords })
    const [state] = [await resultOf(first.pay({}, who)), await resultOf(first.pay({}, who))]
    const held = nextHeld(first.relay.gate)
    const given = { ...answers, requestState: String(state?.requestState) }
    const { taskId } = await resultOf(first.pay(given, who))
    const approval = await held
    await first.relay.close()
    opened.pop()
    const { relay } = await open(plain, { gate: await gateOn(store, policy), store, taskRecords })
    await approve(relay.gate, approval)
    const about = { method: "tasks/get", params: { taskId: String(taskId) } }
    const now = () => resultOf(ask(relay.backend("plain"), who, about))
    await expect.poll(async () => (await now()).status).toBe("completed")
    expect(paid(plain)).toEqual(["quote-1"])
  })
})
