import { expect, it } from "vitest"
import { adapterContract } from "../fixtures/adapter-contract.ts"
import { openAdapter, toolNames } from "../fixtures/open-adapter.ts"
import { gated } from "./gated.ts"

class Tool {
  readonly id: string
  readonly execute: (args: unknown, context?: object) => Promise<unknown>
  constructor(id: string, execute: Tool["execute"]) {
    this.id = id
    this.execute = execute
  }
}

adapterContract(async ({ runTool }, options) => {
  const tools: Record<string, Tool> = Object.fromEntries(toolNames.map((name) => [name, new Tool(name, runTool(name))]))
  const offered = new Map(Object.entries(await gated(tools, options)))
  return {
    call: (name, args) => {
      const execute = offered.get(name)?.execute ?? (async () => Promise.reject(new Error(`Unknown tool: ${name}`)))
      const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value))
      return execute(args, {}).then(textOf, (error: Error) => error.message)
    },
  }
})

it("R8: keeps a tool's class, and leaves alone what has no function here", async () => {
  const { options, runTool } = await openAdapter()
  const elsewhere = { id: "search" }
  const tools = await gated({ read_file: new Tool("read_file", runTool("read_file")), search: elsewhere }, options)
  expect(tools.read_file).toBeInstanceOf(Tool)
  expect(tools.search).toBe(elsewhere)
})

it.each(["files_users.delete", "users.delete"])(
  "judges a tool that MCPClient lists as %s by the server's name for it",
  async (key) => {
    const { options, runTool, ran } = await openAdapter({ wait: false })
    const mcpMetadata = { serverName: "files" }
    const tool = Object.assign(new Tool("files_users.delete", runTool("users.delete")), { mcpMetadata })
    const { [key]: given } = await gated({ [key]: tool }, options)
    await expect(given?.execute({})).rejects.toThrow("Files are deleted by hand here.")
    expect(ran).toEqual([])
  },
)

it("knows tools by other names where it is told so", async () => {
  const { options, runTool, ran } = await openAdapter()
  const namesAtServer = new Map([["files_read_file", "read_file"]])
  const tools = { files_read_file: new Tool("files_read_file", runTool("read_file")) }
  await (await gated(tools, { ...options, namesAtServer })).files_read_file.execute({})
  expect(ran).toHaveLength(1)
})

it.each([
  {
    what: "of two servers",
    names: ["read_file", "write_file"],
    servers: ["files", "evil"],
    says: /several servers.*each/,
  },
  {
    what: "of two servers with one name",
    names: ["read_file", "read_file"],
    servers: ["files", "evil"],
    says: /several/,
  },
  { what: "with one name twice", names: ["read_file", "read_file"], servers: ["files", "files"], says: /same name/ },
])("does not gate tools $what together", async ({ names, servers, says }) => {
  const { options, runTool } = await openAdapter({ wait: false })
  const tools = names.map((name, at) => {
    const serverName = servers[at] ?? ""
    return [`${at}`, Object.assign(new Tool(`${serverName}_${name}`, runTool(name)), { mcpMetadata: { serverName } })]
  })
  const gating = gated(Object.fromEntries(tools), options)
  await expect(gating).rejects.toMatchObject({ code: "bad-options", message: expect.stringMatching(says) })
})
