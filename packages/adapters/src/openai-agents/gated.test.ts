import { expect, it } from "vitest"
import { adapterContract } from "../fixtures/adapter-contract.ts"
import { listingContract } from "../fixtures/listing-contract.ts"
import { type AdapterBench, openAdapter } from "../fixtures/open-adapter.ts"
import { gated } from "./gated.ts"

adapterContract((bench, options) => {
  const server = gated(serverOf(bench), options)
  return { call: async (tool, args) => (await server.callTool(tool, args)).map(({ text }) => text).join("\n") }
})

listingContract((bench, tools, options) => {
  // The SDK's servers walk the pages themselves.
  const server = gated({ ...serverOf(bench), listTools: async () => tools.pages.flat() }, options)
  return {
    list: () => server.listTools(),
    call: async (name) => (await server.callTool(name, {})).map(({ text }) => text).join("\n"),
  }
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

it("I1: a repeat with another `_meta` sends the one that was approved", async () => {
  const bench = await openAdapter({ wait: false })
  const metas: unknown[] = []
  const callTool = async (tool: string, _args: object, meta?: object | null) => {
    metas.push(meta)
    return [{ type: "text", text: `${tool} is done` }]
  }
  const server = gated({ ...serverOf(bench), callTool }, bench.options)
  await server.callTool("write_file", {}, { tenant: "test" })
  await bench.answer(await bench.held())
  await server.callTool("write_file", {}, { tenant: "production" })
  await server.callTool("read_file", {}, null)
  await server.callTool("read_file", {})
  expect(metas).toEqual([{ tenant: "test" }, null, undefined])
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
