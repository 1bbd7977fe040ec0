import { expect, it } from "vitest"
import { adapterContract } from "../fixtures/adapter-contract.ts"
import { type AdapterBench, openAdapter } from "../fixtures/open-adapter.ts"
import { gated } from "./gated.ts"

adapterContract((bench, options) => {
  const server = gated(serverOf(bench), options)
  return { call: async (tool, args) => (await server.callTool(tool, args)).map(({ text }) => text).join("\n") }
})

it("gives whole results where the SDK asks for them, and lists tools as policy offers them", async () => {
  const bench = await openAdapter()
  const server = gated(serverOf(bench), bench.options)
  expect(await server.callToolResult("read_file", {})).toEqual({
    content: [{ type: "text", text: "read_file is done" }],
  })
  expect(await server.callToolResult("delete_file", {})).toMatchObject({ isError: true })
  expect(await server.listTools()).toEqual([{ name: "read_file", inputSchema: { type: "object" } }])
  expect(server.name).toBe("files")
})

function serverOf({ ran }: AdapterBench) {
  const callTool = async (tool: string, args: object) => {
    ran.push([tool, args])
    return [{ type: "text", text: `${tool} is done` }]
  }
  return {
    name: "files",
    listTools: async () => ["read_file", "admin_reset"].map((name) => ({ name, inputSchema: { type: "object" } })),
    callTool,
    callToolResult: async (tool: string, args: object): Promise<object> => ({ content: await callTool(tool, args) }),
  }
}
