import assert from "node:assert/strict"
import { gated } from "@byleave/adapters/adk"
import {
  BaseLlm,
  type BaseLlmConnection,
  FunctionTool,
  InMemoryRunner,
  LlmAgent,
  type LlmRequest,
  type LlmResponse,
} from "@google/adk"
import { anasReview, checkStep, oneStep, openGate } from "../../../examples/adapters/open-gate.ts"

type Calls = ReadonlyArray<readonly [tool: string, args: object]>
const { gate, runs, runTool, reviewWith, answer, waiting, recordedRuns, close } = await openGate()
reviewWith(anasReview)

/** A model that makes these calls, a list per step, then says that it is done. */
class Scripted extends BaseLlm {
  readonly asked: LlmRequest[] = []
  readonly steps: readonly Calls[]
  constructor(steps: readonly Calls[]) {
    super({ model: "scripted" })
    this.steps = steps
  }
  override async *generateContentAsync(request: LlmRequest): AsyncGenerator<LlmResponse, void> {
    const calls = this.steps[this.asked.push(structuredClone({ ...request, toolsDict: {} }) as LlmRequest) - 1] ?? []
    const parts = calls.map(([name, args], at) => ({ functionCall: { id: `call-${at}`, name, args: { ...args } } }))
    yield { content: { role: "model", parts: parts.length > 0 ? parts : [{ text: "Done." }] } }
  }
  override connect(): Promise<BaseLlmConnection> {
    return assert.fail("nothing is live here")
  }
  told(): string[] {
    const parts = (this.asked.at(-1)?.contents ?? []).flatMap(({ parts = [] }) => parts)
    return parts.flatMap(({ functionResponse }) =>
      functionResponse === undefined ? [] : [JSON.stringify(functionResponse.response)],
    )
  }
}

const names = ["read_file", "write_file", "delete_file"]
const files = names.map(
  (name) => new FunctionTool({ name, description: name, execute: (args) => ({ said: runTool(name, Object(args)) }) }),
)
const now = new FunctionTool({ name: "now", description: "The time", execute: () => ({ time: "noon" }) })
const options = { gate, server: "files", principal: { id: "writer" }, session: "thread-1", tools: names }

const model = new Scripted([[...oneStep, ["now", {}]]])
const { end, ...callbacks } = gated(options)
await run(new LlmAgent({ name: "writer", model, tools: [...files, now], ...callbacks }), "Tidy up.")
await end()
checkStep(model.told(), runs)
assert.match(model.told()[5] ?? "", /noon/)
assert.equal((await recordedRuns()).filter((type) => type === "run.succeeded").length, 3)

const { end: _, ...impatient } = gated({ ...options, wait: false })
const first = new Scripted([[["write_file", { path: "later.md" }]]])
await run(new LlmAgent({ name: "writer", model: first, tools: files, ...impatient }), "Write it.")
assert.partialDeepStrictEqual(JSON.parse(first.told()[0] ?? ""), {
  requiresPermission: true,
  isError: false,
  permissionRequest: { toolName: "write_file", serverName: "files", permissionType: "tool" },
})
const [held] = await waiting()
assert(held !== undefined)
await answer(held, {})
const second = new Scripted([[["write_file", { path: "later.md" }]]])
await run(new LlmAgent({ name: "writer", model: second, tools: files, ...impatient }), "Go on.")
assert.match(second.told()[0] ?? "", /later.md.* is done/)
await close()
console.log("adk: allowed, denied, approved, edited, not waited for; the audit verifies")

async function run(agent: LlmAgent, text: string): Promise<void> {
  const runner = new InMemoryRunner({ agent, appName: "example" })
  const session = await runner.sessionService.createSession({ appName: "example", userId: "me" })
  const newMessage = { role: "user", parts: [{ text }] }
  for await (const _ of runner.runAsync({ userId: "me", sessionId: session.id, newMessage })) void _
}
