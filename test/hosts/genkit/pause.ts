import assert from "node:assert/strict"
import { gated } from "@byleave/adapters/genkit"
import { createHolds, type HoldAnswer } from "@byleave/adapters/pause"
import { genkit, type MessageData, z } from "genkit/beta"
import { checkStep, inStepOrder, oneStep, openGate } from "../../../examples/adapters/open-gate.ts"

const { gate, runs, runTool, answerAll, close } = await openGate()
const inputSchema = z.object({ path: z.string(), text: z.string().optional() })
const told: string[] = []

type Paused = { readonly messages: MessageData[]; readonly held: ReadonlyArray<readonly [string, string]> }

/** From start or pause to the next pause or end. Everything it needs from before is in `before`. */
async function leg(before: Paused | null): Promise<Paused | null> {
  const ai = genkit({})
  const options = { gate, server: "files", principal: { id: "writer" }, session: "thread-1" }
  const holds = createHolds(options, before?.held)
  const answers = await holds.answers()
  if (answers === null) return before
  const files = ["read_file", "write_file", "delete_file"].map((name) => {
    const run = gated(name, async (args: z.infer<typeof inputSchema>) => runTool(name, args), holds.options)
    return ai.defineTool({ name, description: name, inputSchema }, async (args, context) => {
      // Genkit does not tell a tool which call it runs, so a call is known by what it says.
      const callId = `${name} ${JSON.stringify(args)}`
      const said = (context.resumed as { answer?: HoldAnswer } | undefined)?.answer
      if (said === undefined && (await holds.hold(callId, name, args)) !== null) context.interrupt({ callId })
      return said?.approved === false ? { error: said.reason } : run(args, context)
    })
  })
  const model = ai.defineModel(
    { name: "scripted", supports: { tools: true, multiturn: true } },
    async ({ messages }) => {
      const results = messages.flatMap(({ content }) => content.flatMap(({ toolResponse }) => toolResponse ?? []))
      told.splice(0, told.length, ...results.map(({ output }) => JSON.stringify(output)))
      const calls = oneStep.map(([tool, input], at) => ({ toolRequest: { name: tool, input, ref: `call-${at}` } }))
      const content = results.length === 0 ? calls : [{ text: "Done." }]
      return { message: { role: "model", content }, finishReason: "stop" }
    },
  )
  const open = before?.messages.at(-1)?.content.flatMap((part) => (part.metadata?.interrupt ? [part] : [])) ?? []
  const restart = open.flatMap((part) => {
    const tool = files.find((each) => each.__action.name === part.toolRequest?.name)
    const interrupted = part.metadata?.interrupt as { callId: string }
    return tool === undefined || part.toolRequest === undefined
      ? []
      : [tool.restart({ ...part, toolRequest: part.toolRequest }, { answer: answers.get(interrupted.callId) })]
  })
  const given = before === null ? { prompt: "Tidy up." } : { messages: before.messages, resume: { restart } }
  const response = await ai.generate({ model, tools: files, ...given })
  return response.finishReason === "interrupted" ? { messages: response.messages, held: holds.saved() } : null
}

const paused = await leg(null)
assert.equal(paused?.held.length, 3, "three calls wait")
assert.equal(await leg(paused), paused, "nothing happens before the last answer")
await answerAll()
assert.equal(await leg(JSON.parse(JSON.stringify(paused))), null)
checkStep(inStepOrder(told), runs)
await close()
console.log("genkit, pause: paused, kept as text, answered, each ran once; the audit verifies")
