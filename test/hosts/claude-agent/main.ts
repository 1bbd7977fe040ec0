import assert from "node:assert/strict"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createSdkMcpServer, type Options, query, tool } from "@anthropic-ai/claude-agent-sdk"
import { gated } from "@byleave/adapters/claude-agent"
import { z } from "zod"
import { anasReview, checkStep, oneStep, openGate } from "../../../examples/adapters/open-gate.ts"
import { startScripted } from "./scripted.ts"

const { gate, runs, runTool, reviewWith, answer, waiting, recordedRuns, close } = await openGate()
reviewWith(anasReview)
const home = await mkdtemp(join(tmpdir(), "byleave-claude-"))

const shape = { path: z.string(), text: z.string().optional() }
const fileTool = (name: string) =>
  tool(name, name, shape, async (args) => ({ content: [{ type: "text", text: runTool(name, args) }] }))
const names = ["read_file", "write_file", "delete_file"]
const files = () => createSdkMcpServer({ name: "files", tools: names.map(fileTool) })
const now = () =>
  createSdkMcpServer({
    name: "clock",
    tools: [tool("now", "The time", {}, async () => ({ content: [{ type: "text", text: "noon" }] }))],
  })
const options = { gate, server: "files", tools: names, principal: { id: "writer" }, session: "thread-1" }

// The session's own rules allow all of it, and the gate is asked all the same.
const allowedTools = ["mcp__files__*", "mcp__files__delete_file", "mcp__files__write_file", "mcp__clock__now"]
const at = (tool: string) => `mcp__files__${tool}`
const model = await startScripted([
  [...oneStep.map(([name, args]) => [at(name), args] as const), ["mcp__clock__now", {}]],
])
const permissions = gated(options)
await ask("Tidy up.", model.url, { canUseTool: permissions.canUseTool, hooks: permissions.hooks })
await permissions.end()
const told = model.told()
// The note of an edit comes beside the result.
if (!told[4]?.includes("A reviewer edited")) told[4] = `${told[4]} ${model.sent()}`
checkStep(told, runs)
assert.match(told[5] ?? "", /noon/)
assert.equal((await recordedRuns()).filter((type) => type === "run.succeeded").length, 3)

// Here a call that waits can only be told as a no; the same call runs once it is approved.
const impatient = gated({ ...options, wait: false })
const rules = { canUseTool: impatient.canUseTool, hooks: impatient.hooks }
const first = await startScripted([[[at("write_file"), { path: "later.md" }]]])
await ask("Write it.", first.url, rules)
assert.match(first.told()[0] ?? "", /is waiting for a person to approve it/)
const [held] = await waiting()
assert(held !== undefined)
await answer(held, {})
const second = await startScripted([[[at("write_file"), { path: "later.md" }]]])
await ask("Go on.", second.url, rules)
assert.match(second.told()[0] ?? "", /later.md.* is done/)

for (const each of [model, first, second]) await each.close()
await close()
await rm(home, { recursive: true, force: true })
console.log("claude-agent: allowed, denied, approved, edited, not waited for; the audit verifies")

async function ask(prompt: string, url: string, rules: Pick<Options, "canUseTool" | "hooks">): Promise<void> {
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: home },
    ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "not-a-key" },
    ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", ENABLE_TOOL_SEARCH: "false" },
  }
  const mcpServers = { files: files(), clock: now() }
  const how = { ...rules, env, mcpServers, allowedTools, settingSources: [], cwd: home, model: "scripted" }
  // A callback is only asked of an open conversation.
  const done = Promise.withResolvers<void>()
  async function* input() {
    yield { type: "user" as const, message: { role: "user" as const, content: prompt }, parent_tool_use_id: null }
    await done.promise
  }
  for await (const message of query({ prompt: input(), options: how })) if (message.type === "result") done.resolve()
}
