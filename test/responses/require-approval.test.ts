import type { OfferedTool } from "@byleave/runs"
import type OpenAI from "openai"
import { describe, expect, it } from "vitest"
import { policyOf, rule } from "../engine/open-engine.ts"
import { type CountingTools, countingTools } from "../runs/open-runs.ts"
import { answersTo, filesTool, openResponses, requestsIn, waitingCalls } from "./open-responses.ts"

const readAndWrite = [
  {
    calls: [
      { tool: "files(read)", args: { path: "a" } },
      { tool: "files(write)", args: { path: "b" } },
    ],
  },
  { say: "Done." },
]
const session = { principal: "run", id: "none", named: true }
const allowAll = policyOf([rule("allow", "files(*)")])

type Asks = OpenAI.Responses.Tool.Mcp["require_approval"]

describe("require_approval, which only tightens", () => {
  it.each<{ readonly name: string; readonly asks: Asks; readonly asked: readonly string[] }>([
    { name: "nothing said", asks: undefined, asked: ["read", "write"] },
    { name: "null", asks: null, asked: ["read", "write"] },
    { name: "always", asks: "always", asked: ["read", "write"] },
    { name: "never", asks: "never", asked: [] },
    { name: "always for some", asks: { always: { tool_names: ["write"] } }, asked: ["write"] },
    { name: "never for some", asks: { never: { tool_names: ["write"] } }, asked: ["read"] },
    { name: "never for what only reads", asks: { never: { read_only: true } }, asked: ["write"] },
    { name: "always for what only reads", asks: { always: { read_only: true } }, asked: ["read"] },
    {
      name: "both for the same tool",
      asks: { always: { tool_names: ["read"] }, never: { tool_names: ["read"] } },
      asked: ["read"],
    },
    { name: "filters without conditions", asks: { never: {} }, asked: ["read", "write"] },
  ])("R179: $name: asks about $asked where policy allows all", async ({ asks, asked }) => {
    const world = await openResponses(readAndWrite, { policy: allowAll, tools: annotatedTools() })
    const { tools } = await countingTools().list(["files"], { principal: { id: "run" }, session })
    await world.gate.seeTools("files", tools.map(definitionOf))
    const { require_approval: _, ...files } = filesTool()
    const first = await world.client.responses.create({
      input: "go",
      tools: [asks === undefined ? files : { ...files, require_approval: asks }],
    })
    expect(requestsIn(first).map(({ name }) => name)).toEqual(asked)
    expect(world.tools.dispatched.map(({ tool }) => tool)).toEqual(
      ["read", "write"].filter((tool) => !asked.includes(tool)),
    )
    if (asked.length === 0) return
    const second = await world.client.responses.create({
      previous_response_id: first.id,
      input: answersTo(first, true),
    })
    expect(second.output_text).toBe("Done.")
    expect(world.tools.dispatched.map(({ tool }) => tool).toSorted()).toEqual(["read", "write"])
  })

  it("never, where policy asks: policy's word holds, and the caller's yes is nobody's", async () => {
    const world = await openResponses(readAndWrite, { responses: { heldMs: 30 } })
    const first = await world.client.responses.create({ input: "go", tools: [filesTool()] })
    expect(requestsIn(first).map(({ name }) => name)).toEqual(["write"])
    const given = { previous_response_id: first.id, input: answersTo(first, true) }
    await expect(world.client.responses.create(given)).rejects.toMatchObject({ status: 408 })
    expect(world.tools.dispatched.map(({ tool }) => tool)).toEqual(["read"])
    expect(await waitingCalls(world, first.id)).toHaveLength(1)
  })

  it("never, where policy denies: nothing runs", async () => {
    const world = await openResponses(readAndWrite, { policy: policyOf([rule("deny", "files(*)")]) })
    await world.client.responses.create({ input: "go", tools: [filesTool()] })
    expect(world.tools.dispatched).toEqual([])
  })

  it("always, where policy asks about one: the caller's yes settles its own, a reviewer the other", async () => {
    const world = await openResponses(readAndWrite, { responses: { heldMs: 30 } })
    const tools = [filesTool({ require_approval: "always" })]
    const first = await world.client.responses.create({ input: "go", tools })
    expect(requestsIn(first).map(({ name }) => name)).toEqual(["read", "write"])
    const given = { previous_response_id: first.id, input: answersTo(first, true), tools }
    await expect(world.client.responses.create(given)).rejects.toMatchObject({ status: 408 })
    const waiting = await waitingCalls(world, first.id)
    expect(waiting).toHaveLength(1)
    expect(await world.gate.approval(waiting[0] ?? "")).toMatchObject({ tool: { tool: "write" } })
    expect(world.tools.dispatched).toEqual([])
  })

  it("a token that conveys decisions settles what policy asks about, and not what it asks of several", async () => {
    const policy = policyOf([rule("allow", "files(read)"), rule("ask", "files(write)", { approvals: 2 })])
    const world = await openResponses(readAndWrite, { policy, responses: { heldMs: 30 } })
    const desk = world.clientOf("desk")
    const first = await desk.responses.create({ input: "go", tools: [filesTool()] })
    await expect(
      desk.responses.create({ previous_response_id: first.id, input: answersTo(first, true) }),
    ).rejects.toMatchObject({ status: 408 })
    expect(world.tools.dispatched.map(({ tool }) => tool)).toEqual(["read"])
  })

  it("a call of a tool that the request does not allow is not run", async () => {
    const world = await openResponses(readAndWrite, { policy: allowAll })
    await world.client.responses.create({ input: "go", tools: [filesTool({ allowed_tools: ["read"] })] })
    expect(world.tools.dispatched.map(({ tool }) => tool)).toEqual(["read"])
  })
})

/** `read` says of itself that it only reads. */
function annotatedTools(): CountingTools {
  const tools = countingTools()
  return {
    ...tools,
    list: async (servers, who) => {
      const listing = await tools.list(servers, who)
      return { ...listing, tools: listing.tools.map(annotated) }
    },
  }
}

function annotated(tool: OfferedTool): OfferedTool {
  return { ...tool, listed: { definition: definitionOf(tool) } }
}

function definitionOf({ ref }: OfferedTool) {
  return { name: ref.tool, inputSchema: { type: "object" }, annotations: { readOnlyHint: ref.tool === "read" } }
}
