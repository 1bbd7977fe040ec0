import assert from "node:assert/strict"
import { HttpAgent } from "@ag-ui/client"
import { type AgUiAssistantRuntime, useAgUiRuntime } from "@assistant-ui/react-ag-ui"
import { createElement } from "react"
import { act, create } from "react-test-renderer"
import { openFront } from "../../runs/open-front.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const calls = [
  { tool: "files(read)", args: { path: "a" } },
  { tool: "files(write)", args: { path: "c" } },
  { tool: "files(move)", args: { path: "d" } },
]
const front = await openFront([{ say: "I will tidy up.", calls }, { say: "Done." }, { say: "You are welcome." }])
const agent = new HttpAgent({ url: `${front.url}/ag-ui` })

const runtimes: AgUiAssistantRuntime[] = []
function Conversation(): null {
  runtimes.push(useAgUiRuntime({ agent }))
  return null
}
await act(async () => void create(createElement(Conversation)))

const thread = () => {
  const runtime = runtimes.at(-1)
  assert(runtime !== undefined)
  return runtime.thread
}
const partsOf = () =>
  thread()
    .getState()
    .messages.flatMap(({ content }) => [...content])
const texts = () => partsOf().flatMap((part) => (part.type === "text" ? part.text : []))
const toolParts = () => partsOf().flatMap((part) => (part.type === "tool-call" ? [part] : []))
const say = (text: string) => act(async () => thread().append({ role: "user", content: [{ type: "text", text }] }))
async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    assert(tries < 200, JSON.stringify(partsOf()))
    await act(async () => new Promise((resolve) => setTimeout(resolve, 20)))
  }
}
const respond = (toolCallId: string, answer: { readonly approved: boolean; readonly reason?: string }) =>
  act(async () => {
    const at = thread()
      .getState()
      .messages.findLastIndex(({ role }) => role === "assistant")
    thread().getMessageByIndex(at).getMessagePartByToolCallId(toolCallId).respondToToolApproval(answer)
  })

await say("tidy my notes")
await until(() => toolParts().filter(({ approval }) => approval !== undefined).length === 2)
assert.deepEqual(texts(), ["tidy my notes", "I will tidy up."])
const [read, write, move] = toolParts()
assert.equal(read?.result, "read is done")
assert.equal((await front.gate.approval(write?.approval?.id ?? ""))?.status, "pending")

await respond(write?.toolCallId ?? "", { approved: false, reason: "Not that one." })
assert.equal(front.tools.dispatched.length, 1, "nothing happens before the last answer")
await respond(move?.toolCallId ?? "", { approved: true })
await until(() => texts().includes("Done."))
assert.deepEqual(
  toolParts().map(({ result }) => result),
  ["read is done", "Not that one.", "move is done"],
)
assert.deepEqual(
  front.tools.dispatched.map(({ tool }) => tool),
  ["read", "move"],
)

await say("thanks")
await until(() => texts().includes("You are welcome."))
assert.equal((await front.gate.runs({ limit: 9 })).length, 1, "one thread is one run")
await front.close()
console.log("assistant-ui over AG-UI: text, calls, a yes and a no on their cards, the next message in the same run")
