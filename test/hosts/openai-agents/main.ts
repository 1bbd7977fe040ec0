import assert from "node:assert/strict"
import { gated } from "@byleave/adapters/openai-agents"
import { Agent, MCPServerStdio, type Model, type ModelRequest, type ModelResponse, Runner, tool, Usage } from "@openai/agents"
import { z } from "zod"
import { anasReview, checkStep, oneStep, openGate } from "../../../examples/adapters/open-gate.ts"

const { gate, runs, reviewWith, answer, waiting, close } = await openGate()
reviewWith(anasReview)
const options = { gate, server: "files", principal: { id: "writer" }, session: "thread-1" }

const program = new URL("../../../examples/adapters/files-server.ts", import.meta.url).pathname
const files = new MCPServerStdio({ name: "files", command: process.execPath, args: [program] })
await files.connect()
const now = tool({ name: "now", description: "The time", parameters: z.object({}), execute: () => "noon" })

const model = scripted([[...oneStep, ["now", {}]]])
const agent = new Agent({ name: "writer", model, tools: [now], mcpServers: [gated(files, options)] })
await new Runner({ tracingDisabled: true }).run(agent, "Tidy up.")

const [said] = await files.callTool("runs", {})
runs.push(...JSON.parse(said?.type === "text" ? said.text : "[]"))
const told = model.told()
checkStep(told, runs)
assert.match(told[5] ?? "", /noon/)
assert(!model.offered().includes("admin_reset"), "what policy hides is not offered")

const impatient = gated(files, { ...options, wait: false })
const call = () => impatient.callTool("write_file", { path: "later.md" })
const [ticket] = await call()
assert.partialDeepStrictEqual(JSON.parse(ticket?.type === "text" ? ticket.text : ""), {
  requiresPermission: true,
  isError: false,
  permissionRequest: { toolName: "write_file", serverName: "files", permissionType: "tool" },
})
const [held] = await waiting()
assert(held !== undefined)
await answer(held, {})
assert.match(JSON.stringify(await call()), /later.md.* is done/)

await files.close()
await close()
console.log("openai-agents: allowed, denied, approved, edited, not waited for; the audit verifies")

/** A model that makes these calls, a list per step, then says that it is done. */
function scripted(steps: ReadonlyArray<ReadonlyArray<readonly [string, object]>>) {
  const requests: ModelRequest[] = []
  const model: Model & { told: () => string[]; offered: () => string[] } = {
    getResponse: async (request): Promise<ModelResponse> => {
      const calls = steps[requests.push(request) - 1] ?? []
      const output = calls.map(([name, args], at) => ({
        type: "function_call" as const,
        callId: `call-${requests.length}-${at}`,
        name,
        arguments: JSON.stringify(args),
        status: "completed" as const,
      }))
      const done = {
        type: "message" as const,
        role: "assistant" as const,
        status: "completed" as const,
        content: [{ type: "output_text" as const, text: "Done." }],
      }
      return { usage: new Usage(), output: output.length > 0 ? output : [done] }
    },
    getStreamedResponse: () => assert.fail("nothing is streamed here"),
    told: () => {
      const input = requests.at(-1)?.input ?? []
      if (typeof input === "string") return []
      return input.flatMap((item) => (item.type === "function_call_result" ? [JSON.stringify(item.output)] : []))
    },
    offered: () => requests[0]?.tools.flatMap((given) => ("name" in given ? [given.name] : [])) ?? [],
  }
  return model
}
