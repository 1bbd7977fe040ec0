import { describe, expect, it } from "vitest"
import { adapterContract } from "../fixtures/adapter-contract.ts"
import { openAdapter } from "../fixtures/open-adapter.ts"
import { gated } from "./gated.ts"

const { signal } = new AbortController()

adapterContract(
  ({ runTool }, options) => {
    const { canUseTool, hooks } = gated(options)
    let uses = 0
    return {
      call: async (name, args) => {
        const toolUseID = `toolu_${uses++}`
        const permission = await canUseTool(`mcp__files__${name}`, { ...args }, { signal, toolUseID })
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

  it("I1: send every tool of the server to the gate, whatever the session's rules say", async () => {
    const { hooks } = gated((await openAdapter()).options)
    expect(hooks.PreToolUse[0]?.matcher).toBe("mcp__files__.*")
    expect(await hooks.PreToolUse[0]?.hooks[0]?.({ hook_event_name: "PreToolUse" }, "1")).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" },
    })
  })

  it.each([
    { input: { hook_event_name: "PostToolUse", tool_response: "done" }, record: "run.succeeded" },
    { input: { hook_event_name: "PostToolUseFailure", error: "disk full" }, record: "run.failed" },
    { input: { hook_event_name: "PostToolUseFailure", error: "", is_interrupt: true }, record: "run.unknown" },
  ])("I2: the record is $record once $input.hook_event_name has told so", async ({ input, record }) => {
    const { options, records, gate } = await openAdapter()
    const { canUseTool, hooks } = gated(options)
    await canUseTool("mcp__files__read_file", {}, use)
    expect(await records()).toEqual([])
    await hooks.PostToolUse[0]?.hooks[0]?.(input, "1")
    await gate.close()
    expect(await records()).toEqual([record])
  })

  it("I2: what no hook told the end of is unknown when the query is done", async () => {
    const { options, records, gate } = await openAdapter()
    const { canUseTool, end } = gated(options)
    await canUseTool("mcp__files__read_file", {}, use)
    await end()
    await gate.close()
    expect(await records()).toEqual(["run.unknown"])
  })

  it("R8: other tools are the program's own affair", async () => {
    const { options } = await openAdapter()
    expect(await gated(options).canUseTool("Bash", {}, use)).toMatchObject({ behavior: "deny" })
    const otherTools = async () => ({ behavior: "allow" as const })
    expect(await gated({ ...options, otherTools }).canUseTool("Bash", {}, use)).toEqual({ behavior: "allow" })
  })
})
