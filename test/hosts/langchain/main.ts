import assert from "node:assert/strict"
import { gated } from "@byleave/adapters/langchain"
import { ToolMessage } from "@langchain/core/messages"
import { createAgent, createMiddleware, tool } from "langchain"
import { anasReview, checkStep, oneStep, openGate } from "../../../examples/adapters/open-gate.ts"
import { scripted } from "./scripted.ts"

const { gate, runs, runTool, reviewWith, answer, waiting, close } = await openGate()
reviewWith(anasReview)

const names = ["read_file", "write_file", "delete_file", "admin_reset"]
const schema = { type: "object", properties: { path: {}, text: {} } } as const
const toolOf = (name: string, run: (args: object) => string) => tool(run, { name, description: name, schema })
const files = names.map((name) => toolOf(name, (args) => runTool(name, args)))
const filesAndClock = [...files, toolOf("now", () => "noon")]
const options = {
  ...{ gate, server: "files", principal: { id: "writer" }, session: "thread-1" },
  tools: names,
  toMessage: (fields: ConstructorParameters<typeof ToolMessage>[0] & object) => new ToolMessage(fields),
}

const model = scripted([[...oneStep, ["now", {}]]])
const middleware = [createMiddleware({ name: "byleave", ...gated(options) })]
const agent = createAgent({ model, tools: filesAndClock, middleware })
await agent.invoke({ messages: [{ role: "user", content: "Tidy up." }] })
checkStep(model.told(), runs)
assert.match(model.told()[5] ?? "", /noon/)
assert.deepEqual(model.offered, ["read_file", "write_file", "delete_file", "now"], "what policy hides is not offered")

const impatient = [createMiddleware({ name: "byleave", ...gated({ ...options, wait: false }) })]
const later = scripted([[["write_file", { path: "later.md" }]]])
const waitingAgent = createAgent({ model: later, tools: files, middleware: impatient })
const repeated = scripted([[["write_file", { path: "later.md" }]]])
await waitingAgent.invoke({ messages: [{ role: "user", content: "Write it." }] })
assert.partialDeepStrictEqual(JSON.parse(later.told()[0] ?? ""), {
  requiresPermission: true,
  isError: false,
  permissionRequest: { toolName: "write_file", serverName: "files", permissionType: "tool" },
})
const [held] = await waiting()
assert(held !== undefined)
await answer(held, {})
const goingOn = createAgent({ model: repeated, tools: files, middleware: impatient })
await goingOn.invoke({ messages: [{ role: "user", content: "Go on." }] })
assert.match(repeated.told()[0] ?? "", /later.md.* is done/)
await close()
console.log("langchain: allowed, denied, approved, edited, not waited for; the audit verifies")
