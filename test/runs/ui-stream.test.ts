import { openModel, uiMessagesOf } from "@byleave/runs"
import {
  type ChatInit,
  DefaultChatTransport,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from "ai"
import { afterEach, describe, expect, it } from "vitest"
import { type Front, openFront } from "./open-front.ts"
import { answer } from "./open-runs.ts"
import { PlainChat } from "./plain-chat.ts"

const steps = [
  {
    say: "I will tidy up.",
    calls: [
      { tool: "files(read)", args: { path: "a" } },
      { tool: "files(delete)", args: { path: "b" } },
      { tool: "files(write)", args: { path: "c" } },
      { tool: "files(move)", args: { path: "d" } },
    ],
  },
  { say: "Done." },
]

let front: Front
afterEach(() => front.close())

const openChat = (more: Partial<ChatInit<UIMessage>> = {}): PlainChat =>
  new PlainChat({
    transport: new DefaultChatTransport({ api: `${front.url}/chat` }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    ...more,
  })

function toolParts({ messages }: { readonly messages: readonly UIMessage[] }) {
  return messages.flatMap(({ parts }) => parts.filter(isToolUIPart))
}
const textsOf = (message: UIMessage | undefined) =>
  message?.parts.flatMap((part) => (part.type === "text" ? part.text : []))
const statesOf = (chat: { readonly messages: readonly UIMessage[] }) => toolParts(chat).map(({ state }) => state)
const asked = ["output-available", "output-denied", "approval-requested", "approval-requested"]

async function runOf(chat: PlainChat): Promise<string> {
  const metadata = chat.messages.at(-1)?.metadata as { readonly runId: string }
  return metadata.runId
}
async function history(id: string): Promise<readonly UIMessage[]> {
  const run = await front.runs.get(id)
  if (run === undefined) throw new Error("The run is gone.")
  return uiMessagesOf(front.ports, run)
}
/** Without what only a stream has: states of text, and where a step begins in a message that is read again. */
const plain = (messages: readonly UIMessage[]) =>
  messages.map(({ role, parts }) => ({
    role,
    parts: parts.map((part) =>
      part.type === "text" ? part.text : isToolUIPart(part) ? [part.state, part.approval, part.input] : part.type,
    ),
  }))

describe("a run in AI SDK's chat", () => {
  it("streams text, runs what is allowed, tells what is denied, and asks with the approval's own id", async () => {
    front = await openFront(steps)
    const chat = openChat()
    await chat.sendMessage({ text: "tidy my notes" })
    expect(chat.error).toBeUndefined()
    expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant"])
    expect(textsOf(chat.messages[1])).toEqual(["I will tidy up."])
    expect(statesOf(chat)).toEqual(asked)
    const [read, denied, write] = toolParts(chat)
    expect(read).toMatchObject({ output: "read is done" })
    expect(denied?.approval).toMatchObject({ approved: false, reason: expect.stringContaining("Nothing is deleted") })
    const run = await front.runs.get(await runOf(chat))
    if (run?.status !== "paused") throw new Error(run?.status)
    expect(write?.approval?.id).toBe(run.requirements[0]?.approval)
    expect(plain(await history(run.id))).toEqual(plain(chat.messages))
  })

  it("takes the page's answers, a yes and a no with its reason, and goes on in the same message", async () => {
    front = await openFront(steps)
    const chat = openChat()
    await chat.sendMessage({ text: "tidy my notes" })
    const [, , write, move] = toolParts(chat)
    await chat.addToolApprovalResponse({ id: write?.approval?.id ?? "", approved: false, reason: "Not that one." })
    expect(front.tools.dispatched).toHaveLength(1)
    await chat.addToolApprovalResponse({ id: move?.approval?.id ?? "", approved: true })
    await expect.poll(() => textsOf(chat.messages[1])).toEqual(["I will tidy up.", "Done."])
    await expect.poll(() => chat.status).toBe("ready")
    expect(chat.messages).toHaveLength(2)
    expect(statesOf(chat)).toEqual(["output-available", "output-denied", "output-denied", "output-available"])
    expect(toolParts(chat)[2]?.approval).toMatchObject({ approved: false, reason: "Not that one." })
    expect(front.tools.dispatched.map(({ tool }) => tool)).toEqual(["read", "move"])
    expect(plain(await history(await runOf(chat)))).toEqual(plain(chat.messages))
    expect(chat.error).toBeUndefined()
  })

  it("shows answers that reviewers gave elsewhere when the page comes back", async () => {
    front = await openFront(steps)
    const chat = openChat()
    await chat.sendMessage({ text: "tidy my notes" })
    const id = await runOf(chat)
    const [, , write, move] = toolParts(chat)
    await answer(front, write?.approval?.id ?? null, "deny", { reason: "Not that one." })
    const reloaded = openChat({ id, messages: [...(await history(id))] })
    expect(statesOf(reloaded)).toEqual([
      "output-available",
      "output-denied",
      "approval-responded",
      "approval-requested",
    ])
    await reloaded.resumeStream()
    expect(statesOf(reloaded)).toEqual([
      "output-available",
      "output-denied",
      "approval-responded",
      "approval-requested",
    ])
    await answer(front, move?.approval?.id ?? null, "approve")
    await reloaded.resumeStream()
    expect(reloaded.error).toBeUndefined()
    expect(reloaded.messages).toHaveLength(2)
    expect(textsOf(reloaded.messages[1])).toEqual(["I will tidy up.", "Done."])
    expect(statesOf(reloaded)).toEqual(["output-available", "output-denied", "output-denied", "output-available"])
    expect(plain(await history(id))).toEqual(plain(reloaded.messages))
  })

  it("an answer that came too late changes nothing, and the page gets what it missed", async () => {
    front = await openFront(steps)
    const chat = openChat()
    await chat.sendMessage({ text: "tidy my notes" })
    const [, , write, move] = toolParts(chat)
    const ids = [write?.approval?.id ?? "", move?.approval?.id ?? ""]
    for (const id of ids) await answer(front, id, "deny", { reason: "Nothing today." })
    const id = await runOf(chat)
    await expect.poll(async () => (await front.runs.get(id))?.status).toBe("finished")
    for (const each of ids) await chat.addToolApprovalResponse({ id: each, approved: true })
    await expect.poll(() => textsOf(chat.messages[1])).toEqual(["I will tidy up.", "Done."])
    expect(statesOf(chat).slice(2)).toEqual(["output-denied", "output-denied"])
    expect(toolParts(chat)[2]?.approval).toMatchObject({ approved: false, reason: "Nothing today." })
    expect(front.tools.dispatched).toHaveLength(1)
  })

  it("a yes that does not count leaves the call to a reviewer; the page waits and sees it run", async () => {
    front = await openFront(steps, { conveys: false })
    const chat = openChat()
    await chat.sendMessage({ text: "tidy my notes" })
    const [, , write, move] = toolParts(chat)
    await chat.addToolApprovalResponse({ id: move?.approval?.id ?? "", approved: false })
    await chat.addToolApprovalResponse({ id: write?.approval?.id ?? "", approved: true })
    await expect
      .poll(() => toolParts(chat)[2])
      .toMatchObject({
        state: "approval-requested",
        approval: { requestReason: expect.stringContaining("A reviewer must decide about this call") },
      })
    expect(front.tools.dispatched).toHaveLength(1)
    await answer(front, write?.approval?.id ?? null, "approve")
    await expect.poll(() => textsOf(chat.messages[1])).toEqual(["I will tidy up.", "Done."])
    expect(statesOf(chat)).toEqual(["output-available", "output-denied", "output-available", "output-denied"])
    expect(front.tools.dispatched.map(({ tool }) => tool)).toEqual(["read", "write"])
  })

  it("refuses new words while a call waits, and takes them afterwards as the next turn", async () => {
    front = await openFront([...steps, { say: "You are welcome." }])
    const chat = openChat()
    await chat.sendMessage({ text: "tidy my notes" })
    const asking = chat.messages
    await chat.sendMessage({ text: "hurry up" })
    expect(chat.error?.message).toContain("waits for approval of")
    expect(chat.error?.message).toContain("files(write)")
    chat.messages = asking
    chat.clearError()
    for (const { approval } of toolParts(chat).slice(2)) {
      await chat.addToolApprovalResponse({ id: approval?.id ?? "", approved: true })
    }
    await expect.poll(() => textsOf(chat.messages[1])).toEqual(["I will tidy up.", "Done."])
    await expect.poll(() => chat.status).toBe("ready")
    await chat.sendMessage({ text: "thanks" })
    expect(chat.error).toBeUndefined()
    expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"])
    expect(textsOf(chat.messages[3])).toEqual(["You are welcome."])
    expect((await front.gate.runs({ limit: 9 })).length).toBe(1)
    expect(plain(await history(await runOf(chat)))).toEqual(plain(chat.messages))
  })

  it("tells a failure, and regenerating goes on without running anything again", async () => {
    let failures = 1
    front = await openFront([], {
      openModel: async (name) => {
        const model = await openModel({
          name,
          provider: "scripted",
          steps: [{ say: "Reading.", calls: [{ tool: "files(read)", args: { path: "a" } }] }, { say: "Done." }],
        })
        let answers = 0
        return {
          ...model,
          doStream: (call) => {
            answers += 1
            if (answers === 2 && failures-- > 0) throw new Error("The model server is overloaded.")
            return model.doStream(call)
          },
        }
      },
    })
    const chat = openChat()
    await chat.sendMessage({ text: "read it" })
    expect(chat.error?.message).toContain("overloaded")
    expect(statesOf(chat)).toEqual(["output-available"])
    const id = chat.messages[1]?.id.split("/")[0] ?? ""
    expect(plain(await history(id))).toEqual(plain(chat.messages))
    await chat.regenerate()
    expect(chat.error).toBeUndefined()
    expect(textsOf(chat.messages[1])).toEqual(["Reading.", "Done."])
    expect(statesOf(chat)).toEqual(["output-available"])
    expect(front.tools.dispatched).toHaveLength(1)
  })

  it("gives nothing of a run that somebody else started", async () => {
    front = await openFront(steps)
    const started = await front.runs.start(
      { messages: [{ role: "user", content: "mine" }], servers: ["files"] },
      { kind: "runner", id: "other" },
    )
    if (!started.ok) throw new Error(started.refusal.code)
    const foreign = openChat({ id: started.run.id })
    await foreign.resumeStream()
    expect(foreign.messages).toEqual([])
    const response = await fetch(`${front.url}/chat`, {
      method: "POST",
      body: JSON.stringify({ id: started.run.id, messages: [] }),
    })
    expect(response.status).toBe(404)
  })
})
