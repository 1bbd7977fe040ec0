import { describe, expect, it } from "vitest"
import { keepingSealer } from "../../downstream/fixtures/front-server.ts"
import { openTask, sealTask } from "./server-tasks.ts"

const context = { sealer: keepingSealer() }

describe("a server's task", () => {
  const { taskId } = sealTask(
    context,
    { server: "files", principal: "ana", tool: "write" },
    { taskId: "t1", status: "working" },
  )

  it("I1: is found by the principal it was made for, and by no other", () => {
    expect(taskId).not.toBe("t1")
    expect(openTask(context, String(taskId), "ana")).toEqual({ server: "files", id: "t1", tool: "write" })
    expect(openTask(context, String(taskId), "eve")).toBeNull()
  })

  it("I2: is not what the server itself calls it, nor anything else that we sealed", () => {
    const state = context.sealer.seal({ k: "server", principal: "ana", server: "files", id: "t1" })
    for (const name of ["t1", "", state]) expect(openTask(context, name, "ana")).toBeNull()
  })
})
