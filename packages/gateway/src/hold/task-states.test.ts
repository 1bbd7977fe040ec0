import { setImmediate as nextTurn } from "node:timers/promises"
import { afterEach, describe, expect, it } from "vitest"
import { approve, deny } from "../relay/fixtures/open-relay.ts"
import { caller, closeHeldTasks, openHeldTask } from "./fixtures/held-task.ts"
import { createTaskStates } from "./task-states.ts"

const text = "x".repeat(10_000)

afterEach(closeHeldTasks)

async function openTask() {
  const { relay, approval } = await openHeldTask({ text })
  const { gate, tasks } = relay
  let reads = 0
  let time = 0
  const states = createTaskStates({
    gate: {
      approval: (id) => {
        reads++
        return gate.approval(id)
      },
      events: gate.events,
    },
    tasks: { put: async () => {}, get: async (id) => tasks.get(id) },
    now: () => time,
    pause: () => nextTurn(),
  })
  const find = () => states.find(approval.id, caller.principal.id)
  const wait = (ms: number): void => {
    time += ms
  }
  return { gate, approval, states, find, wait, reads: () => reads, record: tasks.get(approval.id) }
}

describe("the states of tasks", () => {
  it("I1: are read once for any number of polls, one after the other or at once", async () => {
    const { find, reads } = await openTask()
    const all = await Promise.all(Array.from({ length: 200 }, find))
    expect(new Set(all.map((task) => task?.approval.status))).toEqual(new Set(["pending"]))
    await find()
    expect(reads()).toBe(1)
  })

  it("I1: are read again after a while, should an event have been missed", async () => {
    const { find, reads, wait } = await openTask()
    await find()
    wait(60_000)
    await find()
    expect(reads()).toBe(2)
  })

  it("hold neither arguments nor results, and the kept record has no arguments", async () => {
    const { find, record } = await openTask()
    expect(JSON.stringify(await find())).not.toContain(text)
    expect(JSON.stringify(record)).not.toContain(text)
  })

  it("I2: are read in turns: between two of them others are answered", async () => {
    const { states, approval } = await openTask()
    let others = 0
    const other = async (): Promise<void> => {
      for (; others < 1_000; others++) await nextTurn()
    }
    void other()
    const seen: number[] = []
    const read = () => states.read(approval.id, caller.principal.id).then(() => seen.push(others))
    await Promise.all([read(), read(), read()])
    const [first = 0, second = 0, third = 0] = seen
    expect(second - first).toBeGreaterThan(3)
    expect(third - second).toBeGreaterThan(3)
  })

  it("I3: are told anew after an answer", async () => {
    const { find, gate, approval } = await openTask()
    await find()
    await deny(gate, approval, "no")
    expect((await find())?.approval.status).toBe("denied")
  })

  it("I3: are not remembered when the answer came while they were read", async () => {
    const { find, gate, approval } = await openTask()
    const early = find()
    await approve(gate, approval)
    await early
    await expect.poll(async () => (await find())?.approval.status).not.toBe("pending")
  })

  it("do not exist for another principal, remembered or not", async () => {
    const { states, find, approval } = await openTask()
    expect(await states.find(approval.id, "somebody else")).toBeNull()
    await find()
    expect(await states.find(approval.id, "somebody else")).toBeNull()
    expect(await states.read(approval.id, "somebody else")).toBeNull()
  })
})
