import { describe, expect, it } from "vitest"
import { createBodyBudget } from "./body-budget.ts"
import { createBodyTurns, largeBodyBytes } from "./body-turns.ts"

/** Turns of the event loop that the test gives, one by one. */
function loop() {
  let next = Promise.withResolvers<void>()
  return {
    nextTurn: () => next.promise,
    turn: async () => {
      const { resolve } = next
      next = Promise.withResolvers()
      resolve()
      for (let step = 0; step < 10; step++) await Promise.resolve()
    },
  }
}

/** Bodies that wait, by name, and the order in which they get their turns. */
function open() {
  const { nextTurn, turn } = loop()
  const turns = createBodyTurns(nextTurn)
  const taken: string[] = []
  const wait = (sender: string, name: string, program?: string) => {
    const waiting = turns.wait(sender, program)
    void waiting.turn.then((isIts) => taken.push(isIts ? name : `${name} left`))
    return waiting
  }
  return { wait, turn, taken }
}

describe("large bodies", () => {
  it("I1: are worked on one at a time, with eight turns of the event loop between two", async () => {
    const { wait, turn, taken } = open()
    for (const name of ["a1", "a2", "a3"]) wait("ann", name)
    await Promise.resolve()
    expect(taken).toEqual(["a1"])
    for (let count = 0; count < 7; count++) await turn()
    expect(taken).toEqual(["a1"])
    await turn()
    expect(taken).toEqual(["a1", "a2"])
    for (let count = 0; count < 16; count++) await turn()
    expect(taken).toEqual(["a1", "a2", "a3"])
    wait("ann", "a4")
    await Promise.resolve()
    expect(taken).toEqual(["a1", "a2", "a3", "a4"])
  })

  it("I2: of one sender let another's go before their second", async () => {
    const { wait, turn, taken } = open()
    for (const name of ["a1", "a2", "a3", "a4"]) wait("ann", name)
    for (const name of ["b1", "b2"]) wait("bob", name)
    for (let count = 0; count < 60; count++) await turn()
    expect(taken).toEqual(["a1", "a2", "b1", "a3", "b2", "a4"])
  })

  it("I2: of programs that share a sender go in turn among themselves, and have its turns among others", async () => {
    const { wait, turn, taken } = open()
    for (const name of ["a1", "a2", "a3"]) wait("ann", name, "one")
    for (const name of ["c1", "c2"]) wait("ann", name, "two")
    for (const name of ["b1", "b2", "b3", "b4"]) wait("bob", name)
    for (let count = 0; count < 80; count++) await turn()
    expect(taken).toEqual(["a1", "a2", "b1", "c1", "b2", "a3", "b3", "c2", "b4"])
  })

  it("I3: that were left get no turn, and take up none", async () => {
    const { wait, turn, taken } = open()
    wait("ann", "a1")
    const left = [wait("ann", "a2"), wait("bob", "b1")]
    wait("ann", "a3")
    for (const body of left) body.leave()
    for (let count = 0; count < 8; count++) await turn()
    expect(taken).toEqual(["a1", "a2 left", "b1 left", "a3"])
  })
})

describe("the body of a request", () => {
  const turns = createBodyTurns(() => new Promise(() => {}))
  const shareOf = (bytes: number) => {
    const share = createBodyBudget(undefined, turns).share("ann")
    expect(share.grow(bytes)).toBeNull()
    return share
  }

  it("I4: waits for its turn where it is large, and is not worked on once its request is over", async () => {
    expect(shareOf(largeBodyBytes - 1).turn()).toBeNull()
    expect(await shareOf(largeBodyBytes).turn()).toBe(true)
    const second = shareOf(largeBodyBytes)
    const turn = second.turn()
    second.release()
    expect(await Promise.race([turn, Promise.resolve("waits")])).toBe(false)
  })
})
