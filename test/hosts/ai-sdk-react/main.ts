import assert from "node:assert/strict"
import { useChat } from "@ai-sdk/react"
import { uiMessagesOf } from "@byleave/runs"
import {
  DefaultChatTransport,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from "ai"
import { createElement, type ReactNode } from "react"
import { act, create } from "react-test-renderer"
import { openFront } from "../../runs/open-front.ts"
import { answer } from "../../runs/open-runs.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const calls = [
  { tool: "files(read)", args: { path: "a" } },
  { tool: "files(write)", args: { path: "c" } },
  { tool: "files(move)", args: { path: "d" } },
]
const front = await openFront([{ say: "I will tidy up.", calls }, { say: "Done." }])
const api = `${front.url}/chat`

function Conversation({ run, history }: { readonly run?: string; readonly history?: UIMessage[] }): ReactNode {
  const chat = useChat({
    ...(run === undefined ? {} : { id: run }),
    ...(history === undefined ? {} : { messages: history, resume: true }),
    transport: new DefaultChatTransport({ api }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  return createElement(
    "form",
    { onSubmit: () => void chat.sendMessage({ text: "tidy my notes" }), role: chat.status },
    chat.messages.map(({ id, parts }) =>
      parts.map((part, at) => {
        if (part.type === "text") return createElement("p", { key: `${id} ${at}` }, part.text)
        if (!isToolUIPart(part)) return null
        if (part.state !== "approval-requested") {
          return createElement("li", { key: part.toolCallId }, `${part.state} ${part.approval?.reason ?? ""}`.trim())
        }
        const { id: approval } = part.approval
        const say = (approved: boolean, reason?: string): void =>
          void chat.addToolApprovalResponse({ id: approval, approved, ...(reason === undefined ? {} : { reason }) })
        return createElement("button", { key: part.toolCallId, id: approval, type: "button", onClick: say }, "Allow")
      }),
    ),
  )
}

type Page = ReturnType<typeof create>
async function open(props: Parameters<typeof Conversation>[0]): Promise<Page> {
  const made: Page[] = []
  await act(async () => void made.push(create(createElement(Conversation, props))))
  const [page] = made
  assert(page !== undefined)
  return page
}
const shown = (page: Page, type: string): readonly string[] =>
  page.root.findAllByType(type as never).map(({ children }) => children.join(""))
const buttons = (page: Page) => page.root.findAllByType("button" as never).map(({ props }) => props)
const until = async (isSo: () => boolean): Promise<void> => {
  for (let tries = 0; !isSo(); tries++) {
    assert(tries < 200, "it does not come")
    await act(async () => new Promise((resolve) => setTimeout(resolve, 20)))
  }
}

const page = await open({})
await act(async () => page.root.findByType("form" as never).props.onSubmit())
await until(() => buttons(page).length === 2)
assert.deepEqual(shown(page, "p"), ["tidy my notes", "I will tidy up."])
assert.deepEqual(shown(page, "li"), ["output-available"])

const [write, move] = buttons(page)
await act(async () => write?.onClick(false, "Not that one."))
await until(() => buttons(page).length === 1)
assert.equal(front.tools.dispatched.length, 1, "nothing happens before the last answer")
await act(async () => move?.onClick(true))
await until(() => shown(page, "p").includes("Done."))
assert.deepEqual(shown(page, "li"), ["output-available", "output-denied Not that one.", "output-available"])
assert.deepEqual(
  front.tools.dispatched.map(({ tool }) => tool),
  ["read", "move"],
)

const started = await front.runs.start(
  { messages: [{ role: "user", content: "again" }], servers: ["files"] },
  front.caller.starter,
)
assert(started.ok)
const paused = await front.runs.settled(started.run.id)
assert(paused?.status === "paused")
const [first, second] = paused.requirements
await answer(front, first?.approval ?? null, "approve")
const later = await open({ run: paused.id, history: [...(await uiMessagesOf(front.ports, paused))] })
await until(() => buttons(later).length === 1 && shown(later, "li").includes("approval-responded"))
await until(() => later.root.findByType("form" as never).props.role === "ready")
await act(async () => buttons(later)[0]?.onClick(true))
await until(() => shown(later, "p").includes("Done."))
assert.deepEqual(shown(later, "li"), ["output-available", "output-available", "output-available"])
assert.equal((await front.gate.approval(second?.approval ?? ""))?.status, "succeeded")

await act(async () => page.unmount())
await act(async () => later.unmount())
await front.close()
console.log("useChat: text, calls, a yes and a no by the page, one by a reviewer, a page that loads later")
