import assert from "node:assert/strict"
import { gated } from "@byleave/adapters/langchain"
import { createHolds, type HoldAnswer } from "@byleave/adapters/pause"
import { ToolMessage } from "@langchain/core/messages"
import { Command, interrupt, MemorySaver } from "@langchain/langgraph"
import { createAgent, createMiddleware, tool } from "langchain"
import { checkStep, inStepOrder, oneStep, openGate } from "../../../examples/adapters/open-gate.ts"
import { scripted } from "./scripted.ts"

const { gate, runs, runTool, answerAll, close } = await openGate()
const names = ["read_file", "write_file", "delete_file"]
const schema = { type: "object", properties: { path: {}, text: {} } } as const
const files = names.map((name) => tool((args: object) => runTool(name, args), { name, description: name, schema }))
const model = scripted([oneStep])
const checkpointer = new MemorySaver()
const thread = { configurable: { thread_id: "thread-1" } }

type Held = ReadonlyArray<readonly [callId: string, approval: string]>

/** From start or pause to the next pause or end: the state is in the checkpoint, what is held in `before`. */
async function leg(before: Held | null): Promise<Held | null> {
  const options = { gate, server: "files", principal: { id: "writer" }, session: "thread-1" }
  const holds = createHolds(options, before ?? [])
  const toMessage = (fields: ConstructorParameters<typeof ToolMessage>[0] & object) => new ToolMessage(fields)
  const hooks = gated({ ...holds.options, tools: names, toMessage })
  const byleave = createMiddleware({
    name: "byleave",
    wrapToolCall: async (request, handler) => {
      const { id = "", name, args } = request.toolCall
      if (names.includes(name) && (await holds.hold(id, name, args)) !== null) {
        const said: HoldAnswer = interrupt({ callId: id })
        if (!said.approved) return new ToolMessage({ content: said.reason, tool_call_id: id, name, status: "error" })
      }
      return hooks.wrapToolCall(request, handler)
    },
  })
  const agent = createAgent({ model, tools: files, middleware: [byleave], checkpointer })
  const answers = await holds.answers()
  if (answers === null) return before
  const { tasks } = await agent.graph.getState(thread)
  const resume = Object.fromEntries(
    tasks.flatMap(({ interrupts }) => interrupts).map(({ id, value }) => [id, answers.get(value.callId)]),
  )
  const input =
    before === null ? { messages: [{ role: "user" as const, content: "Tidy up." }] } : new Command({ resume })
  await agent.invoke(input, thread)
  const { next } = await agent.graph.getState(thread)
  return next.length === 0 ? null : holds.saved()
}

const held = await leg(null)
assert.equal(held?.length, 3, "three calls wait")
assert.equal(await leg(held), held, "nothing happens before the last answer")
await answerAll()
assert.equal(await leg(JSON.parse(JSON.stringify(held))), null)
checkStep(inStepOrder(model.told()), runs)
await close()
console.log("langchain, pause: paused, kept in the checkpoint, answered, each ran once; the audit verifies")
