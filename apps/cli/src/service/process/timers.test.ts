import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { memoryStore } from "../../../../../test/engine/open-engine.ts"
import { keepTime } from "./timers.ts"

const day = 24 * 60 * 60_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it.each([
  { name: "goes with its journal once retention says so", retention: 90 * day, left: [] },
  { name: "stays where nothing is ever removed", retention: null, left: ["old"] },
])("a run that is over $name", async ({ retention, left }) => {
  const clock = { now: 1_800_000_000_000 }
  const store = memoryStore(clock)
  const facts = {
    id: "old",
    principal: "run",
    startedBy: { kind: "runner", id: "ci" },
    createdAt: clock.now,
    updatedAt: clock.now,
    title: "Tidy my notes",
    setup: { model: "m", servers: [], maxSteps: 9 },
    legs: 1,
    steps: 1,
    usage: { input: 0, output: 0, total: 0 },
    bytes: 2,
  } as const
  const begun = { ...facts, version: 1, status: "running", owner: "p", leaseUntil: clock.now, answered: [] } as const
  const line = { run: "old", seq: 1, name: "input 1", at: clock.now, text: "{}" }
  const change = { at: clock.now, records: [], events: [], durability: "full" } as const
  const journal = { run: "old", owner: "p", lines: [line] }
  await store.commit({ ...change, runs: [{ next: begun, replaces: null }], journal })
  const next = { ...facts, version: 2, status: "finished", endedAt: clock.now } as const
  await store.commit({ ...change, runs: [{ next, replaces: 1 }] })
  const gate = { expireDue: async () => 0, renewLeases: async () => {} }
  const stop = keepTime({
    gate: gate as never,
    store,
    now: () => clock.now,
    retention: () => retention,
    onTrouble: (trouble) => expect.fail(String(trouble)),
  })
  clock.now += 91 * day
  await vi.advanceTimersByTimeAsync(2 * 60_000)
  stop()
  expect((await store.runs({ limit: 9 })).map(({ id }) => id)).toEqual(left)
  expect(await store.journal("old", { after: 0, maxBytes: 99 })).toHaveLength(left.length)
})
