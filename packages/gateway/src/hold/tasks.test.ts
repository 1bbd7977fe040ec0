import { afterEach, describe, expect, it } from "vitest"
import {
  approve,
  ask,
  callOf,
  deny,
  modernCaller,
  nextHeld,
  openRelay,
  type Relay,
  resultOf,
  withTasks,
} from "../relay/fixtures/open-relay.ts"
import { twoEra } from "../relay/fixtures/two-era.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

const caller = modernCaller({ abilities: withTasks })

async function openTask() {
  const two = twoEra("legacy")
  const relay = await openRelay([two.server])
  opened.push(relay)
  const held = nextHeld(relay.gate)
  const created = await resultOf(ask(relay.backend("two"), caller, callOf("echo")))
  const taskId = String(created.taskId)
  const now = () => resultOf(ask(relay.backend("two"), caller, { method: "tasks/get", params: { taskId } }))
  return { gate: relay.gate, two, approval: await held, now }
}

describe("a task", () => {
  it("I2: is at work, and has no result, while a person is still to be asked", async () => {
    const { now, two } = await openTask()
    const task = await now()
    expect(task.status).toBe("working")
    expect(task).not.toHaveProperty("result")
    expect(two.seen("tools/call")).toEqual([])
  })

  it("I3: whose call was denied ends with the reason, and runs no more", async () => {
    const { gate, two, approval, now } = await openTask()
    await deny(gate, approval, "not on a Friday")
    const task = await now()
    expect(task).toMatchObject({ status: "completed", result: { isError: true } })
    expect(JSON.stringify(task.result)).toContain("not on a Friday")
    expect((await approve(gate, approval)).ok).toBe(false)
    expect(two.seen("tools/call")).toEqual([])
  })
})
