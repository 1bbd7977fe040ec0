import assert from "node:assert/strict"
import { gated } from "@byleave/adapters/langchain"
import { BaseChatModel } from "@langchain/core/language_models/chat_models"
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages"
import type { ChatResult } from "@langchain/core/outputs"
import { createAgent, createMiddleware, tool } from "langchain"
import { anasReview, checkStep, oneStep, openGate } from "../../../examples/adapters/open-gate.ts"

type Calls = ReadonlyArray<readonly [tool: string, args: object]>
const { gate, runs, runTool, reviewWith, answer, waiting, close } = await openGate()
reviewWith(anasReview)

const names = ["read_file", "write_file", "delete_file", "admin_reset"]
const schema = { type: "object", properties: { path: {}, text: {} } } as const
const files = names.map((name) => tool((args: object) => runTool(name, { ...args }), { name, description: name, schema }))
const now = tool(() => "noon", { name: "now", description: "The time", schema: { type: "object", properties: {} } })
const options = {
  ...{ gate, server: "files", principal: { id: "writer" }, session: "thread-1" },
  tools: names,
  toMessage: (fields: ConstructorParameters<typeof ToolMessage>[0] & object) => new ToolMessage(fields),
}

const model = scripted([[...oneStep, ["now", {}]]])
const middleware = [createMiddleware({ name: "byleave", ...gated(options) })]
const agent = createAgent({ model, tools: [...files, now], middleware })
await agent.invoke({ messages: [{ role: "user", content: "Tidy up." }] })
checkStep(model.told(), runs)
assert.match(model.told()[5] ?? "", /noon/)
assert.deepEqual(model.offered, ["read_file", "write_file", "delete_file", "now"], "what policy hides is not offered")

const impatient = [createMiddleware({ name: "byleave", ...gated({ ...options, wait: false }) })]
const again: Calls[] = [[["write_file", { path: "later.md" }]], [["write_file", { path: "later.md" }]]]
const later = scripted([...again])
const waitingAgent = createAgent({ model: later, tools: files, middleware: impatient })
const repeated = scripted([again[0] ?? []])
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

/** A model that makes these calls, a list per step, then says that it is done. */
function scripted(steps: Calls[]) {
  class Scripted extends BaseChatModel {
    readonly asked: BaseMessage[][] = []
    offered: string[] = []
    _llmType(): string {
      return "scripted"
    }
    override bindTools(tools: Parameters<NonNullable<BaseChatModel["bindTools"]>>[0]): this {
      this.offered = tools.map((given) => String((given as { name?: unknown }).name))
      return this
    }
    async _generate(messages: BaseMessage[]): Promise<ChatResult> {
      const calls = steps[this.asked.push(messages) - 1] ?? []
      const tool_calls = calls.map(([name, args], at) => ({ name, args: { ...args }, id: `call-${this.asked.length}-${at}` }))
      const message = new AIMessage({ content: calls.length > 0 ? "" : "Done.", tool_calls })
      return { generations: [{ text: "", message }] }
    }
    told(): string[] {
      return (this.asked.at(-1) ?? []).flatMap((given) => (ToolMessage.isInstance(given) ? [String(given.content)] : []))
    }
  }
  return new Scripted({})
}
