import type { JsonObject } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import {
  approve,
  ask,
  modernCaller,
  nextHeld,
  openRelay,
  policyOf,
  type Relay,
  resultOf,
  rule,
} from "../fixtures/open-relay.ts"
import { twoEra } from "../fixtures/two-era.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

const asking = policyOf([rule("ask", "two(method:*)"), rule("ask", "two(prompt:*)")], {
  methods: [rule("allow", "two(vendor/*)").target],
})

async function open(era: "legacy" | "modern") {
  const two = twoEra(era)
  const relay = await openRelay([two.server], { policy: asking })
  opened.push(relay)
  const sent = (method: string): readonly JsonObject[] =>
    two.seen(method).map((line) => {
      const { params } = JSON.parse(line) as { readonly params: JsonObject }
      const { _meta, ...rest } = params
      return rest
    })
  return { ...relay, two, sent, backend: relay.backend("two") }
}

describe.each(["legacy", "modern"] as const)("what a %s server is sent", (era) => {
  it.each(["inputResponses", "requestState", "task", "method"])(
    "I2: has %s as it was edited, where the method is none of MCP's",
    async (name) => {
      const { backend, gate, sent } = await open(era)
      const held = nextHeld(gate)
      const params = { to: "ana", [name]: { amount: 1_000 }, _meta: { trace: "t" } }
      const calling = ask(backend, modernCaller(), { method: "vendor/pay", params })
      const edited = { to: "ana", [name]: { amount: 1 } }
      expect(await approve(gate, await held, { args: edited })).toMatchObject({ ok: true })
      await calling.reply
      expect(sent("vendor/pay")).toEqual([edited])
    },
  )

  it("I2: has what an edit says also where something else goes beside", async () => {
    const { backend, gate, two } = await open(era)
    const held = nextHeld(gate)
    const params = { to: "ana", _meta: { trace: "asked" } }
    const calling = ask(backend, modernCaller(), { method: "vendor/pay", params })
    expect(await approve(gate, await held, { args: { to: "ana", _meta: { trace: "edited" } } })).toMatchObject({
      ok: true,
    })
    await calling.reply
    expect(two.seen("vendor/pay")).toEqual([expect.stringContaining('"trace":"edited"')])
  })

  it("I2: names what was judged, whatever an edit of the rest says", async () => {
    const { backend, gate, sent } = await open(era)
    const held = nextHeld(gate)
    const params = { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "who", value: "A" } }
    const calling = ask(backend, modernCaller(), { method: "completion/complete", params })
    const args = { argument: { name: "who", value: "B" }, ref: { type: "ref/prompt", name: "secret" } }
    expect(await approve(gate, await held, { args })).toMatchObject({ ok: true })
    await resultOf(calling)
    expect(sent("completion/complete")).toEqual([{ ...params, argument: args.argument }])
  })
})

describe("a modern server that wants to know more", () => {
  it("converse I6: gets no answers in place of arguments, where the method is none of MCP's", async () => {
    const { backend, gate, sent } = await open("modern")
    const held = nextHeld(gate)
    const params = { inputResponses: { amount: 1 } }
    const answer = async () => ({ kind: "result", result: { action: "accept", content: { amount: 1_000 } } }) as const
    const calling = ask(
      backend,
      modernCaller({ abilities: { elicitation: {} } }),
      { method: "vendor/curious", params },
      answer,
    )
    await approve(gate, await held)
    expect(await calling.reply).toMatchObject({
      kind: "error",
      error: { message: expect.stringContaining("asked for more") },
    })
    expect(sent("vendor/curious")).toEqual([params])
  })
})
