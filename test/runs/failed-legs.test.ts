import { openModel, readJournal } from "@byleave/runs"
import { describe, expect, it } from "vitest"
import { answer, openRuns, settled, startRun, type World } from "./open-runs.ts"

const write = { calls: [{ tool: "files(write)", args: { path: "a" } }] }

async function approveAll(world: World): Promise<string> {
  const paused = await startRun(world, "tidy my notes")
  if (paused.status !== "paused") throw new Error(paused.status)
  for (const { approval } of paused.requirements) await answer(world, approval, "approve")
  await expect.poll(async () => (await world.runs.get(paused.id))?.status).toBe("failed")
  return paused.id
}

describe("a leg that fails after people have answered", () => {
  it("is tried again where it was: what ran does not run again, and the model gets its result", async () => {
    const steps = [write, { fail: { status: 500, message: "overloaded" } }, { say: "Done." }]
    const model = await openModel({ name: "scripted", provider: "scripted", steps })
    const world = await openRuns([], { openModel: async () => model })
    const id = await approveAll(world)
    expect(world.tools.dispatched).toHaveLength(1)
    expect((await world.runs.go(id, {}, "ana")).ok).toBe(true)
    expect(await settled(world, id)).toMatchObject({ status: "finished" })
    expect(world.tools.dispatched).toHaveLength(1)
    const { messages } = await readJournal(world.gate, id)
    expect(JSON.stringify(messages)).toContain("write is done")
    expect(world.troubles).toEqual([])
  })

  it("because its model cannot be opened runs nothing, and runs it once that is mended", async () => {
    let opened = 0
    const world = await openRuns([], {
      openModel: async (name) => {
        opened += 1
        if (opened === 2) throw new Error("The key of this model is missing.")
        return openModel({ name, provider: "scripted", steps: [write, { say: "Done." }] })
      },
    })
    const id = await approveAll(world)
    expect(world.tools.dispatched).toHaveLength(0)
    await world.runs.go(id, {}, "ana")
    expect(await settled(world, id)).toMatchObject({ status: "finished" })
    expect(world.tools.dispatched).toHaveLength(1)
  })

  it("withdraws what was approved for it once it is cancelled", async () => {
    const world = await openRuns([], {
      openModel: async (name) => {
        if (world.asked.push(0) > 1) throw new Error("The key of this model is missing.")
        return openModel({ name, provider: "scripted", steps: [write] })
      },
    })
    const id = await approveAll(world)
    await world.runs.cancel(id, "ana")
    const [approval] = await world.store.approvals({ session: id, limit: 1 })
    expect(approval?.status).toBe("cancelled")
  })
})
