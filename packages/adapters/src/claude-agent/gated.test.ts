import { describe, expect, it } from "vitest"
import { adapterContract } from "../fixtures/adapter-contract.ts"
import { openAdapter, toolNames } from "../fixtures/open-adapter.ts"
import { gated } from "./gated.ts"

const { signal } = new AbortController()
const withTools = <Options>(options: Options) => ({ ...options, tools: toolNames })

/** As Claude Code 2.1.325 names a tool of an MCP server. */
function claudeName(server: string, tool: string): string {
  const written = (name: string) => name.replace(/[^a-zA-Z0-9_-]/g, "_")
  return `mcp__${written(server)}__${written(tool)}`
}

adapterContract(
  ({ runTool }, options) => {
    const { canUseTool, hooks } = gated(withTools(options))
    let uses = 0
    return {
      call: async (name, args) => {
        const toolUseID = `toolu_${uses++}`
        const permission = await canUseTool(claudeName("files", name), { ...args }, { signal, toolUseID })
        if (permission === null) return ""
        if (permission.behavior === "deny") return permission.message
        const tool_response = await runTool(name)(permission.updatedInput)
        const post = hooks.PostToolUse[0]?.hooks[0]
        const told = await post?.({ hook_event_name: "PostToolUse", ...{ tool_response } }, toolUseID)
        return `${tool_response} ${JSON.stringify(told)}`
      },
    }
  },
  { carriesPermission: false },
)

describe("the hooks", () => {
  const use = { signal, toolUseID: "1" }
  const ask = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" } }

  it.each([
    { name: "a tool of the server", tool_name: "mcp__files__read_file", said: ask },
    { name: "a name of the server's that stands for none of its tools", tool_name: "mcp__files__new", said: ask },
    { name: "a tool of another server", tool_name: "mcp__clock__now", said: {} },
    { name: "a tool of the program's own", tool_name: "Bash", said: {} },
    { name: "a tool that is not named", said: ask },
  ])("I1: $name is sent to the gate or left alone, whatever the session's rules say", async ({ said, ...input }) => {
    const { hooks } = gated(withTools((await openAdapter()).options))
    expect(hooks.PreToolUse[0]?.matcher).toBe("mcp__.*")
    expect(await hooks.PreToolUse[0]?.hooks[0]?.({ hook_event_name: "PreToolUse", ...input }, "1")).toEqual(said)
  })

  it.each([
    { input: { hook_event_name: "PostToolUse", tool_response: "done" }, record: "run.succeeded" },
    { input: { hook_event_name: "PostToolUseFailure", error: "disk full" }, record: "run.failed" },
    { input: { hook_event_name: "PostToolUseFailure", error: "", is_interrupt: true }, record: "run.unknown" },
  ])("I2: the record is $record once $input.hook_event_name has told so", async ({ input, record }) => {
    const { options, records, gate } = await openAdapter()
    const { canUseTool, hooks } = gated(withTools(options))
    await canUseTool("mcp__files__read_file", {}, use)
    expect(await records()).toEqual([])
    await hooks.PostToolUse[0]?.hooks[0]?.(input, "1")
    await gate.close()
    expect(await records()).toEqual([record])
  })

  it("I2: what no hook told the end of is unknown when the query is done", async () => {
    const { options, records, gate } = await openAdapter()
    const { canUseTool, end } = gated(withTools(options))
    await canUseTool("mcp__files__read_file", {}, use)
    await end()
    await gate.close()
    expect(await records()).toEqual(["run.unknown"])
  })

  it("R8: other tools are the program's own affair", async () => {
    const { options } = await openAdapter()
    expect(await gated(withTools(options)).canUseTool("Bash", {}, use)).toMatchObject({ behavior: "deny" })
    const otherTools = async () => ({ behavior: "allow" as const })
    const withOthers = gated({ ...withTools(options), otherTools })
    expect(await withOthers.canUseTool("Bash", {}, use)).toEqual({ behavior: "allow" })
    expect(await withOthers.canUseTool("mcp__clock__now", {}, use)).toEqual({ behavior: "allow" })
  })
})

describe("names (I3)", () => {
  const use = { signal, toolUseID: "1" }
  const otherTools = async () => ({ behavior: "allow" as const })

  it.each(["crm.v2", "my crm", "@scope/crm", "café", "a__b", "crm_", ""])(
    "a server named %j is refused: Claude Code's names of its tools would be another's",
    async (server) => {
      const { options } = await openAdapter()
      expect(() => gated({ ...withTools(options), server, otherTools })).toThrow(/another name/)
    },
  )

  it.each([
    { why: "stands for several tools", tools: ["users_list", "users.list"], tool: "users_list" },
    { why: "stands for no tool", tools: ["users.list"], tool: "users_delete" },
    { why: "is the beginning of another server's", tools: ["users.list"], tool: "v2__users_list" },
  ])("a name that $why is denied, whatever rules and the program allow", async ({ tools, tool }) => {
    const { options, store } = await openAdapter({ wait: false })
    const { canUseTool } = gated({ ...options, tools, otherTools })
    const denied = { behavior: "deny", message: expect.stringContaining("does not say which") }
    expect(await canUseTool(`mcp__files__${tool}`, {}, use)).toMatchObject(denied)
    expect((await store.records({ limit: 10 })).filter(({ type }) => type.startsWith("call."))).toEqual([])
  })
})
