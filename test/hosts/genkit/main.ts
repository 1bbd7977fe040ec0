import assert from "node:assert/strict"
import { gated } from "@byleave/adapters/genkit"
import { type GenerateRequest, genkit, z } from "genkit"
import { anasReview, checkStep, oneStep, openGate } from "../../../examples/adapters/open-gate.ts"

type Calls = ReadonlyArray<readonly [tool: string, args: object]>
const { gate, runs, runTool, reviewWith, answer, waiting, close } = await openGate()
reviewWith(anasReview)

const ai = genkit({})
const options = { gate, server: "files", principal: { id: "writer" }, session: "thread-1" }
const inputSchema = z.object({ path: z.string(), text: z.string().optional() })
const fileTool = (name: string, how = options, as = name) =>
  ai.defineTool(
    { name: as, description: name, inputSchema },
    gated(name, async (args: z.infer<typeof inputSchema>) => runTool(name, args), how),
  )
const files = ["read_file", "write_file", "delete_file"].map((name) => fileTool(name))
const now = ai.defineTool({ name: "now", description: "The time", inputSchema: z.object({}) }, async () => "noon")

const model = scripted("tidy", [[...oneStep, ["now", {}]]])
await ai.generate({ model: model.ref, tools: [...files, now], prompt: "Tidy up." })
checkStep(model.told(), runs)
assert.match(model.told()[5] ?? "", /noon/)

const impatient = fileTool("write_file", { ...options, wait: false } as typeof options, "write_soon")
const first = scripted("later", [[["write_soon", { path: "later.md" }]]])
await ai.generate({ model: first.ref, tools: [impatient], prompt: "Write it." })
assert.partialDeepStrictEqual(JSON.parse(first.told()[0] ?? ""), {
  requiresPermission: true,
  isError: false,
  permissionRequest: { toolName: "write_file", serverName: "files", permissionType: "tool" },
})
const [held] = await waiting()
assert(held !== undefined)
await answer(held, {})
const second = scripted("again", [[["write_soon", { path: "later.md" }]]])
await ai.generate({ model: second.ref, tools: [impatient], prompt: "Go on." })
assert.match(second.told()[0] ?? "", /later.md.* is done/)
await close()
console.log("genkit: allowed, denied, approved, edited, not waited for; the audit verifies")

/** A model that makes these calls, a list per step, then says that it is done. */
function scripted(name: string, steps: Calls[]) {
  const requests: GenerateRequest[] = []
  const ref = ai.defineModel({ name, supports: { tools: true, multiturn: true } }, async (request) => {
    const calls = steps[requests.push(request) - 1] ?? []
    const content = calls.map(([tool, input], at) => ({ toolRequest: { name: tool, input, ref: `call-${at}` } }))
    return {
      message: { role: "model", content: calls.length > 0 ? content : [{ text: "Done." }] },
      finishReason: "stop",
    }
  })
  // Genkit lists responses as tools end, not as they were called.
  const told = () =>
    (requests.at(-1)?.messages ?? [])
      .flatMap(({ content }) => content.flatMap(({ toolResponse }) => toolResponse ?? []))
      .toSorted((one, other) => (one.ref ?? "").localeCompare(other.ref ?? ""))
      .map(({ output }) => JSON.stringify(output))
  return { ref, told }
}
