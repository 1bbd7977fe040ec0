import { afterEach, describe, expect, it } from "vitest"
import { approve, ask, deny, resultOf } from "../relay/fixtures/open-relay.ts"
import { caller, closeHeldTasks, openHeldTask } from "./fixtures/held-task.ts"

afterEach(closeHeldTasks)

async function openTask() {
  const { relay, two, taskId, approval } = await openHeldTask()
  const now = () => resultOf(ask(relay.backend("two"), caller, { method: "tasks/get", params: { taskId } }))
  return { gate: relay.gate, two, approval, now }
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
