/** Agent runs for pages as `byleave serve` has them, with the official clients of AG-UI and AI SDK. */
import { type BaseEvent, buildResumeArray, HttpAgent } from "@ag-ui/client"
import {
  type ChatInit,
  DefaultChatTransport,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from "ai"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { PlainChat } from "../../runs/plain-chat.ts"
import { must } from "../open-service.ts"
import { type ServedRuns, serveRuns } from "./serve-runs.ts"

let served: ServedRuns
let shop: string
let desk: string

beforeAll(async () => {
  served = await serveRuns()
  shop = await served.token("shop")
  desk = await served.token("desk", "--conveys-decisions")
}, 60_000)

afterAll(() => served?.close())

afterEach(async () => {
  expect(must(await served.reviewer.listApprovals({ query: { status: "pending" } })).items).toEqual([])
})

const patience = { timeout: 20_000 }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function recordOf(approval: string): Promise<string> {
  const { items } = must(await served.reviewer.listAudit({ query: { types: "approval.approved" } }))
  return JSON.stringify(items.find((item) => JSON.stringify(item).includes(approval))?.body)
}

async function cancelNewest(): Promise<void> {
  const [run] = must(await served.reviewer.listRuns({ query: { limit: 1 } })).items
  must(await served.reviewer.cancelRun({ params: { id: run?.id ?? "" } }))
}

describe("AG-UI's client", { timeout: 60_000 }, () => {
  type Page = { readonly agent: HttpAgent; readonly events: BaseEvent[]; readonly said: () => readonly unknown[] }

  function openPage(token: string, words: string | null, threadId?: string): Page {
    const thread = threadId === undefined ? {} : { threadId }
    const agent = new HttpAgent({ url: `${served.url}/api/runs/ag-ui`, headers: bearer(token), ...thread })
    if (words !== null) agent.addMessage({ id: crypto.randomUUID(), role: "user", content: words })
    const events: BaseEvent[] = []
    agent.subscribe({ onEvent: ({ event }) => void events.push(event) })
    const said = () => agent.messages.flatMap(({ role, content }) => (role === "assistant" && content ? [content] : []))
    return { agent, events, said }
  }
  const yesToAll = ({ agent }: Page) =>
    buildResumeArray(
      agent.pendingInterrupts,
      Object.fromEntries(
        agent.pendingInterrupts.map(({ id }) => [id, { status: "resolved" as const, payload: { approved: true } }]),
      ),
    )

  it("streams what is said", async () => {
    const page = openPage(shop, "hi")
    await page.agent.runAgent()
    expect(page.said()).toEqual(["Hello to you."])
  })

  it("R189: a program's own yes does not count, and the page goes on when a reviewer has approved", async () => {
    const page = openPage(shop, "save it")
    await page.agent.runAgent()
    expect(page.agent.pendingInterrupts.map(({ id }) => id)).toEqual([await served.waiting()])
    const resumed = page.agent.runAgent({ resume: yesToAll(page) })
    await expect.poll(() => page.events.at(-1), patience).toMatchObject({ name: "byleave.waiting" })
    expect(served.notes()).toBe("")
    await served.approve()
    await resumed
    expect(page.said()).toEqual(["I will save it.", "It is saved."])
    expect(served.notes()).toBe("saved")
  })

  it("R70: a yes by a token that conveys decisions counts, also after the service was killed, and is recorded as that", async () => {
    const page = openPage(desk, "save it")
    await page.agent.runAgent()
    const id = await served.waiting()
    await served.restart()
    await page.agent.runAgent({ resume: yesToAll(page) })
    expect(page.said()).toEqual(["I will save it.", "It is saved."])
    expect(served.notes()).toBe("saved")
    expect(await recordOf(id)).toContain("conveyed by desk")
  })

  it("another program's run is not there, nor is its call to be answered", async () => {
    const page = openPage(shop, "save it")
    await page.agent.runAgent()
    const [run] = must(await served.reviewer.listRuns({ query: { limit: 1 } })).items
    const other = openPage(desk, null, run?.id ?? "")
    await other.agent.runAgent().catch(() => undefined)
    expect(other.events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "run-not-found" })
    const resume = yesToAll(page)
    await other.agent.runAgent({ resume }).catch(() => undefined)
    expect(other.events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "run-not-found" })
    await cancelNewest()
    expect(served.notes()).toBe("")
  })
})

describe("AI SDK's chat", { timeout: 60_000 }, () => {
  function openChat(token: string, more: Partial<ChatInit<UIMessage>> = {}): PlainChat {
    return new PlainChat({
      transport: new DefaultChatTransport({ api: `${served.url}/api/runs/chat`, headers: bearer(token) }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      ...more,
    })
  }
  const textsOf = ({ messages }: PlainChat) =>
    messages.at(-1)?.parts.flatMap((part) => (part.type === "text" ? part.text : []))
  const toolOf = ({ messages }: PlainChat) => messages.flatMap(({ parts }) => parts.filter(isToolUIPart)).at(-1)
  const answer = (chat: PlainChat, approved: boolean, reason?: string) =>
    chat.addToolApprovalResponse({
      id: toolOf(chat)?.approval?.id ?? "",
      approved,
      ...(reason === undefined ? {} : { reason }),
    })

  it("streams what is said", async () => {
    const chat = openChat(shop)
    await chat.sendMessage({ text: "hi" })
    expect(textsOf(chat)).toEqual(["Hello to you."])
  })

  it("a program's own yes does not count, and the message goes on when a reviewer has approved", async () => {
    const chat = openChat(shop)
    await chat.sendMessage({ text: "save it" })
    expect(toolOf(chat)).toMatchObject({ state: "approval-requested", approval: { id: await served.waiting() } })
    await answer(chat, true)
    await expect.poll(() => chat.status, patience).toBe("streaming")
    expect(served.notes()).toBe("")
    await served.approve()
    await expect.poll(() => textsOf(chat), patience).toEqual(["I will save it.", "It is saved."])
    expect(served.notes()).toBe("saved")
  })

  it("R70, R87: a conveyed yes counts, also after the service was killed, and is recorded as that", async () => {
    const chat = openChat(desk)
    await chat.sendMessage({ text: "save it" })
    const id = await served.waiting()
    await served.restart()
    await answer(chat, true)
    await expect.poll(() => textsOf(chat), patience).toEqual(["I will save it.", "It is saved."])
    expect(served.notes()).toBe("saved")
    expect(await recordOf(id)).toContain("conveyed by desk")
  })

  it("a page that comes back is told the last message; for another program there is none", async () => {
    const chat = openChat(shop, { id: "thread-7" })
    await chat.sendMessage({ text: "save it" })
    await served.approve()
    const back = openChat(shop, { id: "thread-7" })
    await expect
      .poll(async () => {
        await back.resumeStream()
        return textsOf(back)
      }, patience)
      .toEqual(["I will save it.", "It is saved."])
    expect(served.notes()).toBe("saved")
    const at = `${served.url}/api/runs/chat/thread-7/stream`
    expect((await fetch(at, { headers: bearer(desk) })).status).toBe(204)
    expect((await fetch(at, { headers: bearer(shop) })).headers.get("x-accel-buffering")).toBe("no")
  })

  it("a reviewer's session begins runs and says no; its yes is given in the inbox, where the call is shown", async () => {
    const transport = new DefaultChatTransport({ api: `${served.url}/api/runs/chat`, fetch: served.signedFetch })
    const chat = openChat("", { transport })
    await chat.sendMessage({ text: "save it" })
    await answer(chat, true)
    await expect.poll(() => toolOf(chat)?.state, patience).toBe("approval-requested")
    expect(served.notes()).toBe("")
    await served.approve()
    await expect.poll(() => textsOf(chat), patience).toEqual(["I will save it.", "It is saved."])
    expect(served.notes()).toBe("saved")
    const other = openChat("", { transport })
    await other.sendMessage({ text: "save it" })
    await answer(other, false, "Not today.")
    await expect.poll(() => toolOf(other), patience).toMatchObject({ state: "output-denied" })
    await expect.poll(() => other.status, patience).toBe("ready")
    expect(served.notes()).toBe("")
  })

  it("a server that there is not, and a model that cannot be used, are told as the chat's error", async () => {
    const withBody = (body: object) => {
      const api = `${served.url}/api/runs/chat`
      return openChat(shop, { transport: new DefaultChatTransport({ api, headers: bearer(shop), body }) })
    }
    const nowhere = withBody({ servers: ["nowhere"] })
    await nowhere.sendMessage({ text: "hi" })
    expect(nowhere.error?.message).toContain("No server is called nowhere")
    const keyless = withBody({ model: "keyless" })
    await keyless.sendMessage({ text: "hi" })
    expect(keyless.error?.message).toContain("keyless cannot be used now")
  })
})

describe("whoever may not use runs", { timeout: 60_000 }, () => {
  const chat = { id: "c", messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "save it" }] }] }
  const agUi = { threadId: "t", runId: "r", messages: [{ id: "m", role: "user", content: "save it" }] }

  it.each([
    { name: "AG-UI", path: "ag-ui", body: agUi },
    { name: "a chat", path: "chat", body: chat },
  ])("is refused by $name before anything begins", async ({ path, body }) => {
    const post = (headers: Record<string, string>, text = JSON.stringify(body)) =>
      fetch(`${served.url}/api/runs/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: text,
      })
    const before = must(await served.reviewer.listRuns({ query: { limit: 1 } })).items[0]?.id
    expect((await post({})).status).toBe(401)
    expect((await post(bearer(`byl_runner_${"x".repeat(43)}`))).status).toBe(403)
    expect((await post({ ...bearer(shop), origin: "https://evil.example" })).status).toBe(403)
    expect((await post(bearer(shop), JSON.stringify({ ...body, more: "x".repeat(9 * 1024 * 1024) }))).status).toBe(413)
    expect((await post(bearer(shop), "{}")).status).toBe(400)
    expect(must(await served.reviewer.listRuns({ query: { limit: 1 } })).items[0]?.id).toBe(before)
  })
})
