import { expect, it } from "vitest"
import type { ComingMessage } from "../front-message.ts"
import { createEarlyCancellations } from "./early-cancellations.ts"

/** As messages of these principals and conversations come and are cancelled. */
function open(most?: number) {
  const { comes, keep } = createEarlyCancellations(most)
  const headersOf = (who: string, conversation: string) => ({
    authorization: `Bearer ${who}`,
    "mcp-session-id": conversation,
  })
  return {
    comes: (who: string, conversation: string): ComingMessage => {
      const coming = comes(headersOf(who, conversation))
      if (coming === null) throw new Error("It is of no conversation.")
      return coming
    },
    keep: (who: string, conversation: string, id: string | number) => keep(who, headersOf(who, conversation), id),
  }
}

it("I1: a request that had come is cancelled by its id, in its own conversation and for its own principal", () => {
  const { comes, keep } = open()
  const coming = comes("ann", "c1")
  const others = [comes("ann", "c2"), comes("bob", "c1")]
  expect(coming.isCancelled(7)).toBe(false)
  expect(keep("ann", "c1", 7)).toBe(true)
  expect([coming.isCancelled(7), coming.isCancelled("7"), coming.isCancelled(8)]).toEqual([true, false, false])
  expect(others.map(({ isCancelled }) => isCancelled(7))).toEqual([false, false])
})

it("I1: it stays so while others come and begin", () => {
  const { comes, keep } = open()
  const before = comes("ann", "c1")
  const coming = comes("ann", "c1")
  keep("ann", "c1", 7)
  before.done()
  comes("ann", "c1").done()
  expect(coming.isCancelled(7)).toBe(true)
})

it.each(["bearer ann", "BEARER ann"])("I1: whichever way %s spells what kind of credential it is", (authorization) => {
  const { comes, keep } = createEarlyCancellations()
  const headers = { authorization: "Bearer ann", "mcp-session-id": "c1" }
  const [coming, other] = [comes(headers), comes({ ...headers, authorization: "Bearer Ann" })]
  keep("ann", { ...headers, authorization }, 7)
  expect([coming?.isCancelled(7), other?.isCancelled(7)]).toEqual([true, false])
})

it("I2: one that comes after the cancellation is not cancelled, whether or not others still wait", () => {
  const { comes, keep } = open()
  keep("ann", "c1", 7)
  const first = comes("ann", "c1")
  expect(first.isCancelled(7)).toBe(false)
  keep("ann", "c1", 7)
  const second = comes("ann", "c1")
  expect([first.isCancelled(7), second.isCancelled(7)]).toEqual([true, false])
  keep("ann", "c1", 7)
  expect(second.isCancelled(7)).toBe(true)
})

it("I3: keeps so much of one principal and no more, and nothing once what had come before it is done", () => {
  const { comes, keep } = open(3 * 64)
  const [one, two] = [comes("ann", "c1"), comes("ann", "c2")]
  comes("bob", "c1")
  expect([keep("ann", "c1", 1), keep("ann", "c2", 2), keep("ann", "c1", 3)]).toEqual([true, true, true])
  expect([keep("ann", "c2", 4), keep("ann", "c1", 3), keep("bob", "c1", 4)]).toEqual([false, true, true])
  const later = comes("ann", "c1")
  one.done()
  one.done()
  expect([keep("ann", "c2", 4), keep("ann", "c1", 5), keep("ann", "c1", 6)]).toEqual([true, true, false])
  two.done()
  later.done()
  const next = comes("ann", "c1")
  expect([keep("ann", "c1", "x".repeat(129)), keep("ann", "c1", "x".repeat(128))]).toEqual([false, true])
  expect([next.isCancelled(3), next.isCancelled("x".repeat(128))]).toEqual([false, true])
})
