import { setImmediate } from "node:timers/promises"
import { expect, it } from "vitest"
import type { Backend, Exchange } from "../../wire/exchange.ts"
import type { Reply } from "../../wire/message.ts"
import { withListingTurns } from "./listing-turns.ts"

const empty: Reply = { kind: "result", result: {} }

function open() {
  const running: Array<() => void> = []
  let most = 0
  const backend = withListingTurns({
    handle: async (exchange: Exchange) => {
      if (exchange.ask.method !== "tools/list") return empty
      await new Promise<void>((resolve) => {
        running.push(resolve)
        most = Math.max(most, running.length)
      })
      return empty
    },
  } as Partial<Backend> as Backend)
  const ask = (principal: string, method: string) =>
    backend.handle({ caller: { principal: { id: principal } }, ask: { method } } as Partial<Exchange> as Exchange)
  return { ask, running, most: () => most }
}

it("I1: one agent has two listings in work, and all of them are answered in the end", async () => {
  const { ask, running, most } = open()
  const asked = Array.from({ length: 20 }, () => ask("ann", "tools/list"))
  let answered = 0
  for (const each of asked) void each.then(() => (answered += 1))
  await setImmediate()
  expect(running).toHaveLength(2)
  for (let turn = 0; turn < 200 && answered < 20; turn += 1) {
    running.shift()?.()
    await setImmediate()
  }
  expect([answered, most()]).toEqual([20, 2])
})

it("I1, I2: another agent's listing and other requests wait for none of them", async () => {
  const { ask, running } = open()
  const asked = Array.from({ length: 5 }, () => ask("ann", "tools/list"))
  const others = ask("bob", "tools/list")
  expect(await ask("ann", "tools/call")).toBe(empty)
  expect(running).toHaveLength(3)
  running.splice(2, 1)[0]?.()
  expect(await others).toBe(empty)
  for (let turn = 0; turn < 50; turn += 1) {
    running.shift()?.()
    await setImmediate()
  }
  await Promise.all(asked)
})
