import { afterEach, describe, expect, it } from "vitest"
import { AttendanceRefused, type Backend } from "../../wire/exchange.ts"
import { ask, legacyCaller, modernCaller, openRelay, type Relay, resultOf } from "../fixtures/open-relay.ts"
import { twoEra } from "../fixtures/two-era.ts"
import { createAggregateBackend } from "../several/aggregate-backend.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

async function open(era: "legacy" | "modern") {
  const { server } = twoEra(era)
  const relay = await openRelay([server])
  opened.push(relay)
  return { server: relay.backend("two"), all: createAggregateBackend(relay.backends) }
}

const named = (count: number, from = 0): ReadonlySet<string> =>
  new Set(Array.from({ length: count }, (_, at) => `a://${from + at}`))

function listen(backend: Backend, resources: ReadonlySet<string>, id = "agent", conversation = "m1") {
  const caller = modernCaller({ principal: { id }, conversation })
  const nothing = { notify: () => {}, inquire: () => Promise.reject(new Error("nobody")) }
  return backend.attend(caller, { ...nothing, wants: { lists: new Set(), resources } })
}

const subscribe = (backend: Backend, uri: string) =>
  ask(backend, legacyCaller(), { method: "resources/subscribe", params: { uri } })

describe.each(["legacy", "modern"] as const)("the resources of a %s server that one agent listens to", (era) => {
  it("I1: count together, whatever asks for them, and nobody else's", async () => {
    const { server } = await open(era)
    const asked = [listen(server, named(600)), listen(server, named(600, 600), "agent", "m2")]
    const [first, second] = await Promise.allSettled(asked)
    expect([first?.status, second?.status]).toEqual(["fulfilled", "rejected"])
    await listen(server, named(600), "other")
    const stop = await listen(server, named(399, 600))
    await resultOf(subscribe(server, "a://999"))
    await expect(listen(server, named(1, 5_000))).rejects.toThrow(/1000 resources of two/)
    expect(await subscribe(server, "a://more").reply).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/may listen to 1000 resources of two at once/) },
    })
    await listen(server, new Set())
    stop()
    await listen(server, named(399, 600))
  })

  it("I1: count more where their names are long", async () => {
    const { server } = await open(era)
    const long = new Set(Array.from({ length: 63 }, (_, at) => `a://${at}/${"x".repeat(8_000)}`))
    await expect(listen(server, long)).rejects.toThrow(AttendanceRefused)
  })
})

it("I1: is refused where all servers are listened to at once, and none of them stays", async () => {
  const { all, server } = await open("legacy")
  await expect(listen(all, named(1_001))).rejects.toThrow(AttendanceRefused)
  await listen(server, named(1_000))
})
