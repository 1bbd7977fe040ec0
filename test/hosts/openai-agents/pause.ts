import assert from "node:assert/strict"
import { gated } from "@byleave/adapters/openai-agents"
import { createHolds } from "@byleave/adapters/pause"
import { Agent, getAllMcpTools, MCPServerStdio, Runner, RunState } from "@openai/agents"
import { checkStep, inStepOrder, oneStep, openGate } from "../../../examples/adapters/open-gate.ts"
import { scripted } from "./scripted.ts"

const { gate, runs, answerAll, close } = await openGate()
const program = new URL("../../../examples/adapters/files-server.ts", import.meta.url).pathname
const files = new MCPServerStdio({ name: "files", command: process.execPath, args: [program] })
await files.connect()
const model = scripted([oneStep])

type Paused = { readonly state: string; readonly held: ReadonlyArray<readonly [string, string]> }

/** From start or pause to the next pause or end. Everything it needs from before is in `before`. */
async function leg(before: Paused | null): Promise<Paused | null> {
  const options = { gate, server: "files", principal: { id: "writer" }, session: "thread-1" }
  const holds = createHolds(options, before?.held)
  const tools = (await getAllMcpTools({ mcpServers: [gated(files, holds.options)] })).map((each) =>
    each.type === "function"
      ? {
          ...each,
          needsApproval: async (_: unknown, args: unknown, callId = "") =>
            (await holds.hold(callId, each.name, args)) !== null,
        }
      : each,
  )
  const agent = new Agent({ name: "writer", model, tools })
  const runner = new Runner({ tracingDisabled: true })
  const answers = await holds.answers()
  if (answers === null) return before
  const state = before === null ? null : await RunState.fromString(agent, before.state)
  for (const item of state?.getInterruptions() ?? []) {
    const answer = "callId" in item.rawItem ? answers.get(String(item.rawItem.callId)) : undefined
    if (answer?.approved === true) state?.approve(item)
    else state?.reject(item, { message: answer?.reason ?? "Nobody approved it." })
  }
  const result = await runner.run(agent, state ?? "Tidy up.")
  return result.interruptions.length === 0 ? null : { state: result.state.toString(), held: holds.saved() }
}

const paused = await leg(null)
assert.equal(paused?.held.length, 3, "three calls wait")
assert.equal(await leg(paused), paused, "nothing happens before the last answer")
await answerAll()
assert.equal(await leg(JSON.parse(JSON.stringify(paused))), null)

const [said] = await files.callTool("runs", {})
runs.push(...JSON.parse(said?.type === "text" ? String(said.text) : "[]"))
checkStep(inStepOrder(model.told()), runs)

// The same state once more: whoever kept a copy runs nothing with it.
await leg(JSON.parse(JSON.stringify(paused)))
assert.partialDeepStrictEqual(await files.callTool("runs", {}), [{ type: "text", text: "[]" }])
await files.close()
await close()
console.log("openai-agents, pause: paused, kept as text, answered, each ran once; the audit verifies")
