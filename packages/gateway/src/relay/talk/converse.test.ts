import { afterEach, describe, expect, it } from "vitest"
import type { Reply } from "../../wire/message.ts"
import {
  approve,
  ask,
  callOf,
  legacyCaller,
  modernCaller,
  nextHeld,
  openRelay,
  policyOf,
  type Relay,
  type RelaySetting,
  resultOf,
  rule,
  textOf,
} from "../fixtures/open-relay.ts"
import { scripted } from "../fixtures/scripted.ts"
import { twoEra } from "../fixtures/two-era.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

async function open(setting: RelaySetting = {}) {
  const two = twoEra("modern")
  const relay = await openRelay([two.server], { policy: policyOf([rule("allow", "two(*)")]), ...setting })
  opened.push(relay)
  return { ...relay, two, backend: relay.backend("two") }
}

describe("a call to a modern server", () => {
  it("I3: carries nothing of the state by which its client came back to us", async () => {
    const { backend, gate, two } = await open({ policy: policyOf([]), times: { legMs: 30 } })
    const held = nextHeld(gate)
    const { requestState = null } = await resultOf(ask(backend, modernCaller(), callOf("echo")))
    expect(requestState).toEqual(expect.any(String))
    await approve(gate, await held)
    let last = await resultOf(ask(backend, modernCaller(), callOf("echo", {}, { requestState })))
    // A leg may be over before the run is.
    for (let tries = 0; last.resultType === "input_required" && tries < 100; tries += 1) {
      last = await resultOf(
        ask(backend, modernCaller(), callOf("echo", {}, { requestState: last.requestState ?? null })),
      )
    }
    expect(textOf(last)).toContain("echoed")
    const [line = ""] = two.seen("tools/call")
    expect(line).not.toContain("requestState")
  })

  it("I3: nor does what is read without a word of policy, once the rule that held it is gone", async () => {
    const { backend, gate, two } = await open({
      policy: policyOf([rule("ask", "two(resource:*)")]),
      times: { legMs: 30 },
    })
    const read = { method: "resources/read", params: { uri: "a://1" } }
    const { requestState = null } = await resultOf(ask(backend, modernCaller(), read))
    expect(requestState).toEqual(expect.any(String))
    await gate.replacePolicy(policyOf([]), null)
    await resultOf(ask(backend, modernCaller(), { ...read, params: { ...read.params, requestState } }))
    expect(two.seen("resources/read")).toHaveLength(1)
    expect(two.seen("resources/read")[0]).not.toContain("requestState")
  })

  it("I4: that its caller withdraws ends the task the server made of it", async () => {
    const { backend, two } = await open()
    const calling = ask(backend, legacyCaller(), callOf("endless-task"))
    await expect.poll(() => two.seen("tasks/get").length, { timeout: 10_000 }).toBeGreaterThan(0)
    calling.withdraw()
    await calling.reply
    await expect.poll(() => two.seen("tasks/cancel").length, { timeout: 5_000 }).toBe(1)
  })

  it.each([
    { count: 16, passes: true },
    { count: 17, passes: false },
  ])("that asks $count things at once is passed on to its client: $passes", async ({ count, passes }) => {
    const form = { message: "?", requestedSchema: { type: "object", properties: {} } }
    const inputRequests = Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`q${n}`, { method: "elicitation/create", params: form }]),
    )
    const asking = { resultType: "input_required", inputRequests }
    const tools = [{ name: "echo", inputSchema: { type: "object" } }]
    const { server } = scripted("modern", { "tools/list": { tools }, "tools/call": asking })
    const relay = await openRelay([server], { policy: policyOf([rule("allow", "s(*)")]) })
    opened.push(relay)
    const caller = modernCaller({ abilities: { elicitation: {} } })
    const { reply } = ask(relay.backend("s"), caller, callOf("echo"))
    const said = JSON.stringify(await reply)
    expect(said.includes("inputRequests")).toBe(passes)
    expect(said.includes("may be 16")).toBe(!passes)
  })

  it("I5: that asks without end is told so, and asks no more", async () => {
    const { backend } = await open()
    let asked = 0
    const answer = async (): Promise<Reply> => {
      asked += 1
      // A client still asked by then would be asked for ever.
      if (asked > 100) calling.withdraw()
      return { kind: "result", result: { action: "accept", content: { name: "Ana" } } }
    }
    const calling = ask(backend, legacyCaller({ abilities: { elicitation: {} } }), callOf("curious"), answer)
    const reply = await calling.reply
    expect(JSON.stringify(reply)).toContain("20 rounds")
    expect(asked).toBe(20)
  })

  it("I11: is not sent once more with the answer of a client that is gone by then", async () => {
    const { backend, two } = await open()
    let isOver = false
    const answer = async (): Promise<Reply> => {
      isOver = true
      return { kind: "result", result: { action: "accept", content: { name: "Ana" } } }
    }
    const caller = legacyCaller({ abilities: { elicitation: {} } })
    const calling = ask(backend, caller, callOf("curious"), answer, { isGone: () => isOver })
    expect(await resultOf(calling)).toMatchObject({ isError: true })
    expect(two.seen("tools/call")).toHaveLength(1)
  })
})
