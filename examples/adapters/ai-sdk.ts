import assert from "node:assert/strict"
import { createMCPClient } from "@ai-sdk/mcp"
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio"
import { gated } from "@byleave/adapters/ai-sdk"
import { generateText, isStepCount, jsonSchema, tool } from "ai"
import { anasReview, checkStep, oneStep, openGate } from "./open-gate.ts"
import { scriptedModel } from "./scripted-model.ts"

type FileArgs = { path: string; text?: string }

/** An AI SDK agent: one server's tools behind the gate, a tool of the program's own beside them. */
export async function aiSdk(): Promise<void> {
  const { gate, runs, runTool, reviewWith, answer, waiting, recordedRuns, close } = await openGate()
  const inputSchema = jsonSchema<FileArgs>({ type: "object", properties: { path: {}, text: {} } })
  const fileTool = (name: string) =>
    tool({ description: name, inputSchema, execute: async (args) => runTool(name, args) })
  const files = {
    read_file: fileTool("read_file"),
    write_file: fileTool("write_file"),
    delete_file: fileTool("delete_file"),
    admin_reset: fileTool("admin_reset"),
  }
  const now = tool({ description: "The time", inputSchema: jsonSchema<object>({}), execute: () => "noon" })

  const options = { gate, server: "files", principal: { id: "writer" }, session: "thread-1" }
  const tools = { ...(await gated(files, options)), now }
  assert.deepEqual(
    Object.keys(tools),
    ["read_file", "write_file", "delete_file", "now"],
    "what policy hides is not offered",
  )

  reviewWith(anasReview)
  const model = scriptedModel([[...oneStep, ["now", {}]]])
  const { steps } = await generateText({ model, tools, prompt: "Tidy up.", stopWhen: isStepCount(5) })
  assert.equal(steps.length, 2)
  checkStep(model.told(), runs)
  assert.match(model.told()[5] ?? "", /noon/)

  // A caller that does not wait gets a request for permission in place of a result; the same call gets the result once it is approved.
  const later = scriptedModel([[["write_file", { path: "later.md" }]], [["write_file", { path: "later.md" }]]])
  const impatient = { ...options, wait: false }
  const first = await generateText({ model: later, tools: await gated(files, impatient), prompt: "Write it." })
  assert.partialDeepStrictEqual(first.toolResults[0]?.output, {
    requiresPermission: true,
    isError: false,
    permissionRequest: { toolName: "write_file", serverName: "files", permissionType: "tool" },
  })
  const [held] = await waiting()
  assert(held !== undefined)
  await answer(held, {})
  const second = await generateText({ model: later, tools: await gated(files, impatient), prompt: "Go on." })
  assert.match(String(second.toolResults[0]?.output), /later.md.* is done/)

  // A server's tools as @ai-sdk/mcp gives them.
  const program = { command: process.execPath, args: [`${import.meta.dirname}/files-server.ts`] }
  const mcp = await createMCPClient({ transport: new Experimental_StdioMCPTransport(program) })
  const overMcp = scriptedModel([oneStep])
  await generateText({
    model: overMcp,
    tools: await gated(await mcp.tools(), options),
    prompt: "Again.",
    stopWhen: isStepCount(5),
  })
  const ranThere = await mcp.callTool({ name: "runs", arguments: {} })
  checkStep(overMcp.told(), JSON.parse(String((ranThere.content as Array<{ text: string }>)[0]?.text)))
  await mcp.close()

  await gate.close()
  assert.equal((await recordedRuns()).filter((type) => type === "run.succeeded").length, 7)
  await close()
  console.log("ai-sdk: allowed, denied, approved, edited, not waited for; the audit verifies")
}
