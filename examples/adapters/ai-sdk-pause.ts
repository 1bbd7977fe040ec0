import assert from "node:assert/strict"
import { gated } from "@byleave/adapters/ai-sdk"
import { createHolds } from "@byleave/adapters/pause"
import { generateText, isStepCount, jsonSchema, type ModelMessage, tool } from "ai"
import { checkStep, inStepOrder, oneStep, openGate, type Setting } from "./open-gate.ts"
import { scriptedModel } from "./scripted-model.ts"

type FileArgs = { path: string; text?: string }

/** The AI SDK's own pause: the run ends while calls wait, is kept as text, and goes on when ana has answered all of them. */
export async function aiSdkPause(): Promise<void> {
  const setting = await openGate()
  const model = scriptedModel([oneStep])

  const paused = await leg(setting, model, { messages: [{ role: "user", content: "Tidy up." }], held: [] })
  assert.equal(paused.held.length, 3, "three calls wait; the others are done")
  assert.deepEqual(setting.runs, [{ tool: "read_file", args: { path: "notes.md" } }])
  assert.equal(await leg(setting, model, paused), paused, "nothing happens before the last answer")

  await setting.answerAll()
  await leg(setting, model, JSON.parse(JSON.stringify(paused)))
  checkStep(inStepOrder(model.told()), setting.runs)

  // The same state once more: whoever kept a copy runs nothing with it.
  await leg(setting, model, JSON.parse(JSON.stringify(paused)))
  assert.equal(setting.runs.length, 3)
  await setting.close()
  console.log("ai-sdk-pause: paused, kept as text, answered, each ran once; the audit verifies")
}

type Paused = { readonly messages: ModelMessage[]; readonly held: ReadonlyArray<readonly [string, string]> }

/** From start or pause to the next pause or end. Everything it needs from before is in `before`. */
async function leg(setting: Setting, model: ReturnType<typeof scriptedModel>, before: Paused): Promise<Paused> {
  const { gate, runTool } = setting
  const inputSchema = jsonSchema<FileArgs>({ type: "object", properties: { path: {}, text: {} } })
  const fileTool = (name: string) =>
    tool({ description: name, inputSchema, execute: async (args) => runTool(name, args) })
  const files = {
    read_file: fileTool("read_file"),
    write_file: fileTool("write_file"),
    delete_file: fileTool("delete_file"),
  }

  const holds = createHolds({ gate, server: "files", principal: { id: "writer" }, session: "thread-1" }, before.held)
  const answers = await holds.answers()
  if (answers === null) return before
  const { response } = await generateText({
    model,
    tools: await gated(files, holds.options),
    toolApproval: async ({ toolCall: { toolCallId, toolName, input } }) =>
      Object.hasOwn(files, toolName) && (await holds.hold(toolCallId, toolName, input)) !== null
        ? "user-approval"
        : "not-applicable",
    messages: [...before.messages, ...approvalResponses(before.messages, answers)],
    stopWhen: isStepCount(5),
  })
  return { messages: [...before.messages, ...response.messages], held: holds.saved() }
}

/** All answers in one last message: the AI SDK goes on only with whole batches. */
function approvalResponses(
  messages: readonly ModelMessage[],
  answers: ReadonlyMap<string, { approved: boolean; reason?: string }>,
): ModelMessage[] {
  const parts = messages.flatMap(({ role, content }) =>
    role === "assistant" && typeof content !== "string" ? content : [],
  )
  const content = parts.flatMap((part) => {
    const answer = part.type === "tool-approval-request" ? answers.get(part.toolCallId) : undefined
    if (part.type !== "tool-approval-request" || answer === undefined) return []
    return [{ type: "tool-approval-response" as const, approvalId: part.approvalId, ...answer }]
  })
  return content.length === 0 ? [] : [{ role: "tool", content }]
}
