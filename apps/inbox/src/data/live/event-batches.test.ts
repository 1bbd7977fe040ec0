import type { EventView } from "@byleave/api"
import { expect, it } from "vitest"
import { eventBatches } from "./event-batches.ts"

const event = (seq: number): EventView => ({ seq, type: "approval.pending", subject: `${seq}`, at: 0 })

/** Timers that go off when told. */
function handTimer() {
  const waiting: Array<{ readonly work: () => void; readonly ms: number }> = []
  return {
    later: (work: () => void, ms: number) => {
      const entry = { work, ms }
      waiting.push(entry)
      return () => void waiting.splice(waiting.indexOf(entry), 1)
    },
    waits: () => waiting.map(({ ms }) => ms),
    goOff: () => waiting.shift()?.work(),
  }
}

it("tells what arrives together at once, and what comes after it together and later", () => {
  const timer = handTimer()
  const told: number[][] = []
  const batches = eventBatches({
    everyMs: 250,
    later: timer.later,
    tell: (events) => told.push(events.map(({ seq }) => seq)),
  })
  batches.add(event(1))
  batches.add(event(2))
  expect(told).toEqual([])
  timer.goOff()
  expect(told).toEqual([[1, 2]])
  for (let seq = 3; seq <= 500; seq++) batches.add(event(seq))
  expect(told).toHaveLength(1)
  expect(timer.waits()).toEqual([250])
  timer.goOff()
  expect(told).toHaveLength(2)
  expect(told[1]).toHaveLength(498)
})

it("tells nothing after it was stopped", () => {
  const timer = handTimer()
  const told: unknown[] = []
  const batches = eventBatches({ everyMs: 250, later: timer.later, tell: (events) => told.push(events) })
  batches.add(event(1))
  batches.stop()
  timer.goOff()
  expect(told).toEqual([])
})
