import assert from "node:assert/strict"
import { gated } from "@byleave/adapters/openai-agents"
import { Agent, MCPServerStdio, Runner, tool } from "@openai/agents"
import { z } from "zod"
import { anasReview, checkStep, oneStep, openGate } from "../../../examples/adapters/open-gate.ts"
import { scripted } from "./scripted.ts"

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
runs.push(...JSON.parse(said?.type === "text" ? String(said.text) : "[]"))
const told = model.told()
checkStep(told, runs)
assert.match(told[5] ?? "", /noon/)
assert(!model.offered().includes("admin_reset"), "what policy hides is not offered")

const impatient = gated(files, { ...options, wait: false })
const call = () => impatient.callTool("write_file", { path: "later.md" })
const [ticket] = await call()
assert.partialDeepStrictEqual(JSON.parse(ticket?.type === "text" ? String(ticket.text) : ""), {
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
