// Takes about a minute: a journal of 14 MB, resumed many times over on both stores.
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { carryLargeState } from "../runs/carry-run.ts"
import { givenModel, says, streamOf } from "../runs/given-model.ts"
import { openRuns, openStore, settled, starter, storeKinds, whyNot } from "../runs/open-runs.ts"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

describe.each(storeKinds.slice(1))("a journal of 14 MB on %s", (kind) => {
  const why = whyNot(kind)

  it("is resumed again and again, and memory stays as it was", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const clock = { now: Date.now() }
    const { open, dispose } = await openStore(kind, clock)
    let asked = 0
    const model = {
      ...givenModel(),
      doStream: async () => {
        asked += 1
        return { stream: streamOf(says("I have read it.")) }
      },
    }
    const store = await open()
    const world = await openRuns([], { model, store, clock })
    const messages = Array.from({ length: 14 }, () => ({ role: "user" as const, content: "ä".repeat(512 * 1024) }))
    const started = await world.runs.start({ messages, servers: [] }, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    const { id } = started.run
    expect(await settled(world, id)).toMatchObject({ status: "finished" })
    const resume = async (): Promise<void> => {
      const went = await world.runs.go(id, { messages: [{ role: "user", content: "Go on." }] }, "ana")
      expect(went.ok).toBe(true)
      expect(await settled(world, id)).toMatchObject({ status: "finished" })
    }
    const heap = (): number => {
      for (let n = 0; n < 4; n++) collect()
      return process.memoryUsage().heapUsed
    }
    for (let n = 0; n < 4; n++) await resume()
    const before = heap()
    for (let n = 0; n < 12; n++) await resume()
    expect(heap() - before).toBeLessThan(10_000_000)
    expect(asked).toBe(17)
    expect((await world.runs.get(id))?.bytes).toBeGreaterThan(14 * 1024 * 1024)
    await world.runs.close()
    await world.gate.close()
    await store.close()
    dispose()
  })
})

it("R73: a state of 14 MB is carried, with memory that does not grow with every time", async () => {
  const { bytes, sizes } = await carryLargeState({ reads: 8, times: 4 })
  expect(bytes).toBeGreaterThan(14_000_000)
  expect((sizes.at(-1) ?? 0) - (sizes[1] ?? 0)).toBeLessThan(200_000_000)
})
