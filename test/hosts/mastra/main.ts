import assert from "node:assert/strict"
import { gated } from "@byleave/adapters/mastra"
import { Agent } from "@mastra/core/agent"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { anasReview, checkStep, oneStep, openGate } from "../../../examples/adapters/open-gate.ts"
import { scripted } from "./scripted.ts"

const { gate, runs, runTool, reviewWith, answer, waiting, close } = await openGate()
reviewWith(anasReview)

const inputSchema = z.object({ path: z.string(), text: z.string().optional() })
const fileTool = (id: string) =>
  createTool({ id, description: id, inputSchema, execute: async (args) => runTool(id, args) })
const files = {
  read_file: fileTool("read_file"),
  write_file: fileTool("write_file"),
  delete_file: fileTool("delete_file"),
  admin_reset: fileTool("admin_reset"),
}
const now = createTool({ id: "now", description: "The time", inputSchema: z.object({}), execute: async () => "noon" })
const options = { gate, server: "files", principal: { id: "writer" }, session: "thread-1" }

const about = { id: "writer", name: "writer", instructions: "Write." }
const model = scripted([[...oneStep, ["now", {}]]])
const agent = new Agent({ ...about, model, tools: { ...(await gated(files, options)), now } })
await agent.generate("Tidy up.")
checkStep(model.told(), runs)
assert.match(model.told()[5] ?? "", /noon/)
assert.deepEqual(model.offered(), ["read_file", "write_file", "delete_file", "now"], "what policy hides is not offered")

const impatient = await gated(files, { ...options, wait: false })
const first = scripted([[["write_file", { path: "later.md" }]]])
await new Agent({ ...about, model: first, tools: impatient }).generate("Write it.")
assert.match(
  first.told()[0] ?? "",
  /"requiresPermission":true,"isError":false,"permissionRequest":\{"toolName":"write_file"/,
)
const [held] = await waiting()
assert(held !== undefined)
await answer(held, {})
const second = scripted([[["write_file", { path: "later.md" }]]])
await new Agent({ ...about, model: second, tools: impatient }).generate("Go on.")
assert.match(second.told()[0] ?? "", /later.md.* is done/)
await close()
console.log("mastra: allowed, denied, approved, edited, not waited for; the audit verifies")
