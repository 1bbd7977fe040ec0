import { expect, it } from "vitest"
import { adapterContract } from "../fixtures/adapter-contract.ts"
import { openAdapter, toolNames } from "../fixtures/open-adapter.ts"
import { gated } from "./gated.ts"

const tools = toolNames
const toMessage = (fields: { content: string; tool_call_id: string }) => fields
const requestOf = (name: string, args: object) => ({ toolCall: { id: "1", name, args } })

adapterContract(({ runTool }, options) => {
  const { wrapToolCall } = gated({ ...options, tools, toMessage })
  return {
    call: async (name, args) => {
      const handler = async ({ toolCall }: ReturnType<typeof requestOf>) => ({
        content: await runTool(toolCall.name)(toolCall.args),
      })
      return (await wrapToolCall(requestOf(name, args), handler)).content
    },
  }
})

it("R8: tools that are not the server's run as before", async () => {
  const { options, store } = await openAdapter()
  const { wrapToolCall } = gated({ ...options, tools, toMessage })
  expect(await wrapToolCall(requestOf("now", {}), () => ({ content: "noon" }))).toEqual({ content: "noon" })
  expect((await store.records({ limit: 10 })).some(({ type }) => type.startsWith("call."))).toBe(false)
})

it("does not offer the model what policy hides", async () => {
  const { options } = await openAdapter()
  const { wrapModelCall } = gated({ ...options, tools, toMessage })
  const request = { tools: [{ name: "read_file" }, { name: "admin_reset" }, { name: "now" }] }
  const offered = await wrapModelCall(request, (given) => given.tools)
  expect(offered).toEqual([{ name: "read_file" }, { name: "now" }])
})
