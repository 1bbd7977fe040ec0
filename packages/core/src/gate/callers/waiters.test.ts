import { describe, expect, it } from "vitest"
import type { StoreEvent } from "../store.ts"
import { createWaiters } from "./waiters.ts"

function testStore() {
  const listeners = new Set<(event: StoreEvent) => void>()
  return {
    tell: (subject: string, type: StoreEvent["type"] = "approval.approved") => {
      for (const listener of listeners) listener({ seq: 1, at: 0, type, subject })
    },
    subscribe: (listener: (event: StoreEvent) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const turns = async () => {
  for (let n = 0; n < 5; n++) await Promise.resolve()
}

describe("signals", () => {
  it("wake everyone who waits for that approval, and nobody else", async () => {
    const store = testStore()
    const waiters = createWaiters(store)
    const woken: string[] = []
    const signals = ["a", "a", "a", "b"].map((id, at) => {
      const signal = waiters.signal(id)
      void signal.changed().then(() => woken.push(`${id}${at}`))
      return signal
    })
    store.tell("a", "grant.changed")
    store.tell("b")
    await turns()
    expect(woken).toEqual(["b3"])
    signals[1]?.stop()
    store.tell("a")
    await turns()
    expect(woken.sort()).toEqual(["a0", "a2", "b3"])
  })

  it("remember one ring that nobody was waiting for", async () => {
    const store = testStore()
    const signal = createWaiters(store).signal("a")
    store.tell("a")
    store.tell("a")
    await signal.changed()
    let again = false
    void signal.changed().then(() => {
      again = true
    })
    await turns()
    expect(again).toBe(false)
  })

  it.each([
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
  ])("leave nothing behind, in whatever order they stop: %i %i %i", (...order) => {
    const waiters = createWaiters(testStore())
    const signals = [waiters.signal("a"), waiters.signal("a"), waiters.signal("a")]
    for (const at of order) {
      expect(waiters.isWaitedFor("a")).toBe(true)
      signals[at]?.stop()
    }
    expect(waiters.isWaitedFor("a")).toBe(false)
  })
})
