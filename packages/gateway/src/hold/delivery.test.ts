import { afterEach, describe, expect, it } from "vitest"
import {
  approve,
  ask,
  callOf,
  deny,
  legacyCaller,
  modernCaller,
  nextHeld,
  openRelay,
  type Relay,
  resultOf,
  textOf,
  withTasks,
} from "../relay/fixtures/open-relay.ts"
import { twoEra } from "../relay/fixtures/two-era.ts"
import type { Backend, Exchange } from "../wire/exchange.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

async function open() {
  const two = twoEra("legacy")
  const relay = await openRelay([two.server])
  opened.push(relay)
  return { gate: relay.gate, runs: () => two.seen("tools/call").length, backend: relay.backend("two") }
}

/** The same backend behind a front that knows what became of its reply. */
const telling = (backend: Backend, delivered: NonNullable<Exchange["delivered"]>): Backend => ({
  ...backend,
  handle: (exchange) => backend.handle({ ...exchange, delivered }),
})

const callers = [
  ["legacy", legacyCaller()],
  ["modern", modernCaller()],
] as const

describe.each(callers)("the reply of a held call to a %s client", (_, caller) => {
  it("that did not reach its connection is given to the same call, once, and nothing runs again", async () => {
    const { gate, backend, runs } = await open()
    const held = nextHeld(gate)
    const lost = ask(
      telling(backend, async () => false),
      caller,
      callOf("echo"),
    )
    const approval = await held
    await approve(gate, approval)
    await lost.reply
    await expect.poll(async () => (await gate.approval(approval.id))?.caller).toBeNull()
    const result = await resultOf(ask(backend, caller, callOf("echo")))
    expect(textOf(result)).toContain("echoed")
    expect(result._meta).toMatchObject({ "byleave/notes": ["delivered-late"] })
    const next = nextHeld(gate)
    const again = ask(backend, caller, callOf("echo"))
    await deny(gate, await next, "enough")
    await again.reply
    expect(runs()).toBe(1)
  })

  it("that reached it is the last of it: the same call is asked about anew", async () => {
    const { gate, backend, runs } = await open()
    const held = nextHeld(gate)
    const got = ask(
      telling(backend, async () => true),
      caller,
      callOf("echo"),
    )
    await approve(gate, await held)
    await got.reply
    const next = nextHeld(gate)
    const again = ask(backend, caller, callOf("echo"))
    await deny(gate, await next, "enough")
    await again.reply
    expect(runs()).toBe(1)
  })

  it("is not asked after where nobody held the call, or its caller got a task", async () => {
    const { gate, backend } = await open()
    let asked = 0
    const front = telling(backend, async () => {
      asked += 1
      return false
    })
    await ask(front, caller, callOf("no such tool")).reply
    const held = nextHeld(gate)
    const tasked = ask(front, modernCaller({ abilities: withTasks }), callOf("echo"))
    const approval = await held
    expect(await resultOf(tasked)).toMatchObject({ resultType: "task" })
    await approve(gate, approval)
    await expect.poll(async () => gate.approval(approval.id)).toMatchObject({ status: "succeeded", delivered: true })
    expect(asked).toBe(0)
  })
})
