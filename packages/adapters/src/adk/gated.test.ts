import { expect, it } from "vitest"
import { adapterContract } from "../fixtures/adapter-contract.ts"
import { openAdapter, toolNames } from "../fixtures/open-adapter.ts"
import { gated } from "./gated.ts"

const tools = toolNames

adapterContract(({ runTool }, options) => {
  const { beforeToolCallback, afterToolCallback } = gated({ ...options, tools })
  let calls = 0
  return {
    call: async (name, given) => {
      const args = given as Record<string, unknown>
      const use = { tool: { name }, args, context: { functionCallId: `call-${calls++}` } }
      const instead = await beforeToolCallback(use)
      if (instead !== undefined) return textOf(instead)
      const response = { said: await runTool(name)({ ...args }) }
      return textOf((await afterToolCallback({ ...use, response })) ?? response)
    },
  }
})

it("R8: tools that are not the server's run as before", async () => {
  const { options } = await openAdapter()
  const { beforeToolCallback } = gated({ ...options, tools })
  expect(await beforeToolCallback({ tool: { name: "now" }, args: {}, context: {} })).toBeUndefined()
})

it("judges a tool that ADK lists with a prefix by the server's name for it", async () => {
  const { options, store } = await openAdapter()
  const atServer = (name: string) => (name.startsWith("files_") ? name.slice("files_".length) : undefined)
  const { beforeToolCallback } = gated({ ...options, tools: atServer })
  const told = await beforeToolCallback({ tool: { name: "files_users.delete" }, args: {}, context: {} })
  expect(told).toEqual({ error: expect.stringContaining("Files are deleted by hand here.") })
  expect(await beforeToolCallback({ tool: { name: "now" }, args: {}, context: {} })).toBeUndefined()
  expect((await store.records({ limit: 10 })).filter(({ type }) => type === "call.denied")).toHaveLength(1)
})

it("the record says that a call runs until ADK has told how it ended, and unknown where it never does", async () => {
  const { options, records, gate } = await openAdapter()
  const { beforeToolCallback, end } = gated({ ...options, tools })
  await beforeToolCallback({ tool: { name: "read_file" }, args: {}, context: { functionCallId: "1" } })
  expect(await records()).toEqual([])
  await end()
  await gate.close()
  expect(await records()).toEqual(["run.unknown"])
})

it("a tool that threw, of which ADK gives no response, is unknown", async () => {
  const { options, records, gate } = await openAdapter()
  const { beforeToolCallback, afterToolCallback } = gated({ ...options, tools })
  const use = { tool: { name: "read_file" }, args: {}, context: { functionCallId: "1" } }
  await beforeToolCallback(use)
  await afterToolCallback({ ...use, response: null as unknown as Record<string, unknown> })
  await gate.close()
  expect(await records()).toEqual(["run.unknown"])
})

function textOf(response: object): string {
  if ("requiresPermission" in response) return JSON.stringify(response)
  return Object.values(response).join("\n")
}
