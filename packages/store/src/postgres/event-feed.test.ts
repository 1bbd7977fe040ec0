import type { StoreEvent } from "@byleave/core"
import pg from "pg"
import { afterEach, expect, it, vi } from "vitest"
import { type EventFeed, openEventFeed } from "./event-feed.ts"

let feed: EventFeed | undefined
afterEach(() => feed?.close())

/** A feed of a table of our own, where no server can be reached that would notify it. */
function openFeed(pollMs: number) {
  const table: StoreEvent[] = []
  const told: number[] = []
  const setting: { elapsed: number; trouble: Error | null } = { elapsed: 0, trouble: null }
  feed = openEventFeed(0, {
    readEvents: async (after, limit) => {
      if (setting.trouble !== null) throw setting.trouble
      const page = table.filter(({ seq }) => seq > after).slice(0, limit)
      await new Promise((resolve) => setImmediate(resolve))
      return page
    },
    client: () => new pg.Client({ host: "127.0.0.1", port: 1 }),
    channel: "nobody",
    pollMs,
    elapsed: () => setting.elapsed,
    saw: () => {},
    presence: { show: async () => {}, cut: () => {} },
  })
  feed.subscribe(({ seq }) => told.push(seq))
  return { feed, table, told, setting }
}

const event = (seq: number): StoreEvent => ({ seq, type: "policy.changed", subject: `s${seq}`, at: seq })

it("I1, I2: a look follows every commit, and each event is told once and in order, however many commits come at once", async () => {
  const { feed, table, told } = openFeed(1_000_000)
  const numbers = Array.from({ length: 1_200 }, (_, at) => at + 1)
  for (const seq of numbers) {
    table.push(event(seq))
    if (seq % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
    feed.committed(seq % 3 === 0 ? null : seq)
  }
  await vi.waitFor(() => expect(told.length).toBeGreaterThanOrEqual(numbers.length))
  expect(told).toEqual(numbers)
})

it("I2: what nobody announced is found by the next poll", async () => {
  const { table, told } = openFeed(5)
  table.push(event(1))
  await vi.waitFor(() => expect(told).toEqual([1]))
  table.push(event(2))
  await vi.waitFor(() => expect(told).toEqual([1, 2]))
})

it("I3: who asks for a look is answered once all there was is told, and learns where it cannot be read", async () => {
  const { feed, table, told, setting } = openFeed(1_000_000)
  for (let seq = 1; seq <= 600; seq += 1) table.push(event(seq))
  setting.elapsed = 7
  await feed.hear()
  expect(told.length).toBe(600)
  expect(feed.heardAt()).toBe(7)
  setting.elapsed = 9
  setting.trouble = new Error("away")
  await expect(feed.hear()).rejects.toThrow("away")
  expect(feed.heardAt()).toBe(7)
})
