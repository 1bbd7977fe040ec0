import { readJournal } from "@byleave/runs"
import { describe, expect, it } from "vitest"
import { answer, openRuns, settled, startRun } from "./open-runs.ts"

const fiveCalls = [
  {
    say: "I will tidy up.",
    calls: [
      { tool: "files(read)", args: { path: "a" } },
      { tool: "files(delete)", args: { path: "b" } },
      { tool: "files(write)", args: { path: "c" } },
      { tool: "files(write)", args: { path: "c" } },
      { tool: "files(move)", args: { path: "d" } },
    ],
  },
  { say: "Done." },
]

describe("a run with calls that need a person (R68, R69, R98)", () => {
  it("pauses: what is allowed ran, what is denied was told, each of the others waits for itself", async () => {
    const world = await openRuns(fiveCalls)
    const run = await startRun(world, "tidy my notes")
    expect(run).toMatchObject({ status: "paused", title: "tidy my notes", legs: 1, steps: 1 })
    expect(world.tools.dispatched).toEqual([{ tool: "read", args: { path: "a" } }])
    const waiting = await world.runs.waitsFor(run)
    expect(waiting.map(({ approval }) => approval.tool.tool)).toEqual(["write", "write", "move"])
    expect(new Set(waiting.map(({ approval }) => approval.id)).size).toBe(3)
    expect(waiting.every(({ approval }) => approval.status === "pending" && approval.expiresAt === null)).toBe(true)
    expect(world.troubles).toEqual([])
  })

  it("goes on when the last answer is there, in any order; each call is decided for itself and runs once", async () => {
    const world = await openRuns(fiveCalls)
    const paused = await startRun(world, "tidy my notes")
    if (paused.status !== "paused") throw new Error(paused.status)
    const [first, second, third] = paused.requirements
    await answer(world, third?.approval ?? null, "approve", { args: { path: "elsewhere" } })
    await answer(world, first?.approval ?? null, "deny", { reason: "Not that one." })
    expect((await world.runs.get(paused.id))?.status).toBe("paused")
    expect(world.tools.dispatched).toHaveLength(1)
    await answer(world, second?.approval ?? null, "approve")
    await expect.poll(async () => (await world.runs.get(paused.id))?.status).toBe("finished")
    expect(world.tools.dispatched.slice(1)).toHaveLength(2)
    expect(world.tools.dispatched.slice(1)).toEqual(
      expect.arrayContaining([
        { tool: "write", args: { path: "c" } },
        { tool: "move", args: { path: "elsewhere" } },
      ]),
    )
    const { messages } = await readJournal(world.gate, paused.id)
    const told = JSON.stringify(messages)
    expect(told).toContain("Not that one.")
    expect(told).toContain("Nothing is deleted here.")
    expect(told).toContain("A reviewer changed the arguments")
    expect(world.troubles).toEqual([])
    expect(world.asked).toHaveLength(2)
  })

  it("goes on in another process, weeks later", async () => {
    const world = await openRuns(fiveCalls)
    const paused = await startRun(world, "tidy my notes")
    if (paused.status !== "paused") throw new Error(paused.status)
    await world.runs.close()
    world.clock.now += 30 * 24 * 60 * 60_000
    for (const { approval } of paused.requirements) await answer(world, approval, "approve")
    expect((await world.runs.get(paused.id))?.status).toBe("paused")
    const other = await openRuns(fiveCalls, { store: world.store, clock: world.clock })
    expect(await other.runs.takeUp()).toBe(1)
    expect((await settled(other, paused.id)).status).toBe("finished")
    expect(other.tools.dispatched).toHaveLength(3)
    expect(other.troubles).toEqual([])
  })
})
