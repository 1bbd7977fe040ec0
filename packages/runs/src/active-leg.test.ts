import { getEventListeners } from "node:events"
import type { RunningRun } from "@byleave/core"
import { expect, it } from "vitest"
import { type ActiveLeg, untilEnded } from "./active-leg.ts"

function activeLeg(): ActiveLeg {
  const stop = new AbortController()
  const run = { id: "run" } as RunningRun
  return { run, stop, ended: Promise.resolve(), followers: new Set(), ownLines: 0, bytes: () => 0, looking: null }
}

it("whoever no longer waits for a leg leaves nothing with it, and the others are told of its end", async () => {
  const leg = activeLeg()
  for (let i = 0; i < 100; i++) {
    const gone = new AbortController()
    const waiting = untilEnded(leg, gone.signal)
    gone.abort()
    await waiting
  }
  expect(leg.followers.size).toBe(0)
  const there = new AbortController()
  const waiting = untilEnded(leg, there.signal)
  for (const tell of leg.followers) tell()
  await waiting
  expect([leg.followers.size, getEventListeners(there.signal, "abort").length]).toEqual([0, 0])
})
