/** A thread of the chat page is a run: over the real handler, what the page needs of it. */
import type { Client } from "@byleave/api"
import { afterEach, describe, expect, it } from "vitest"
import { opening } from "../../opening.ts"
import { answerCall } from "../answer-call.ts"
import { codeOf, must } from "../open-service.ts"
import { openRunsService, type RunsService } from "./open-runs-service.ts"

const write = { calls: [{ tool: "files(write)", args: { path: "a" } }] }
const script = [
  { when: "write", say: "I write it.", ...write },
  { when: "write", say: "After the write." },
  { when: "never mind", say: "As you like." },
  { when: "again", say: "Once more.", ...write },
]

const { open: openOne, closeAll } = opening(openRunsService)
afterEach(closeAll)

async function open(): Promise<{ readonly service: RunsService; readonly ada: Client }> {
  const service = await openOne(script)
  return { service, ada: (await service.person("ada")).client }
}

const startThread = async (client: Client, prompt: string) =>
  must(await client.startRun({ body: { principal: "chat", prompt } }))
const waitingIn = async (client: Client, id: string) =>
  must(await client.listApprovals({ query: { principal: "chat", session: id, status: "pending" } })).items

describe("threads", () => {
  it("R86: are listed apart from other runs, found by words of their titles and messages, renamed, and know what waits", async () => {
    const { ada } = await open()
    const thread = await startThread(ada, "write the Plan")
    await ada.startRun({ body: { prompt: "write a report" } })
    const titles = async (query: object) => must(await ada.listRuns({ query })).items.map(({ title }) => title)
    expect(await titles({ principal: "chat" })).toEqual(["write the Plan"])
    expect(await titles({ principal: "run" })).toEqual(["write a report"])
    expect(await titles({ principal: "chat", text: "PLAN" })).toEqual(["write the Plan"])
    expect(await titles({ principal: "chat", text: "report" })).toEqual([])
    const params = { id: thread.run_id }
    must(await ada.renameRun({ params, body: { title: "May" } }))
    expect(await titles({ text: "may" })).toEqual(["May"])
    // What was said in it, not what it is called.
    expect(await titles({ principal: "chat", text: " the plan" })).toEqual(["May"])
    expect(await titles({ principal: "chat", text: "nobody said this" })).toEqual([])
    const { run, requirements } = must(await ada.getRun({ params }))
    expect(run).toMatchObject({ principal: "chat", status: "paused" })
    expect(requirements.map(({ approval }) => approval?.status)).toEqual(["pending"])
    expect(run.sessionKey).toBe(requirements[0]?.approval?.sessionKey)
  })

  it("are started by people only", async () => {
    const { service } = await open()
    const reply = await (await service.runner("ci")).startRun({ body: { principal: "chat", prompt: "write" } })
    expect(codeOf(reply)).toBe("wrong-credential")
  })

  it("a stop withdraws what waits, and a message goes on from there", async () => {
    const { ada, service } = await open()
    const { run_id: id } = await startThread(ada, "write it")
    must(await ada.stopRun({ params: { id } }))
    const { run } = must(await ada.getRun({ params: { id } }))
    expect(run).toMatchObject({ status: "failed", retryable: true, stoppedBy: "ada" })
    expect(await waitingIn(ada, id)).toEqual([])
    const next = must(await ada.continueRun({ params: { id }, body: { message: "never mind" } }))
    expect(next).toMatchObject({ status: "finished", text: "As you like." })
    expect(service.tools.dispatched).toEqual([])
    expect(codeOf(await ada.stopRun({ params: { id } }))).toBe("run-has-nothing-to-do")
  })

  it("a message that denies what waits is heard at once, and the call says who denied it", async () => {
    const { ada, service } = await open()
    const { run_id: id } = await startThread(ada, "write it")
    const early = await ada.continueRun({ params: { id }, body: { message: "never mind" } })
    expect(codeOf(early)).toBe("run-waits")
    const body = { message: "never mind", denyWaiting: true as const }
    const next = must(await ada.continueRun({ params: { id }, body }))
    expect(next).toMatchObject({ status: "finished", text: "As you like." })
    const { items } = must(await ada.listApprovals({ query: { principal: "chat", session: id } }))
    expect(items).toMatchObject([{ status: "denied", by: "ada" }])
    expect(service.tools.dispatched).toEqual([])
  })

  it("a tool that messages denied too often is blocked, as one that answers denied", async () => {
    const service = await openOne([write, write, write, write, { say: "I leave it." }])
    const { client: ada } = await service.person("ada")
    const { run_id: id } = await startThread(ada, "write it")
    const params = { id }
    for (let denied = 1; denied <= 3; denied += 1) {
      expect(await waitingIn(ada, id)).toHaveLength(1)
      must(await ada.continueRun({ params, body: { message: "again", denyWaiting: true } }))
    }
    expect(await waitingIn(ada, id)).toEqual([])
    const { items } = must(await ada.listSessions())
    expect(items.find((session) => session.id === id)?.refused).toEqual([{ server: "files", tool: "write" }])
  })

  it("R54: what one thread may do is asked again in another, and ends with the thread", async () => {
    const { ada, service } = await open()
    const first = await startThread(ada, "write it")
    const [held] = await waitingIn(ada, first.run_id)
    const breadth = { kind: "tool", server: "files", tool: "write" } as const
    const answered = must(
      await answerCall(ada, held?.id ?? "", { kind: "approve", remember: { scope: "session", breadth } }),
    )
    expect(answered.grant).not.toBeNull()
    await expect.poll(() => service.tools.dispatched.length).toBe(1)
    await expect.poll(async () => must(await ada.getRun({ params: { id: first.run_id } })).run.status).toBe("finished")
    const again = must(await ada.continueRun({ params: { id: first.run_id }, body: { message: "again" } }))
    expect(again.status).toBe("finished")
    expect(service.tools.dispatched).toHaveLength(2)
    expect((await startThread(ada, "write it")).status).toBe("paused")
    expect(must(await ada.listGrants()).items).toHaveLength(1)
    must(await ada.removeRun({ params: { id: first.run_id } }))
    expect(must(await ada.listGrants()).items).toEqual([])
  })
})

it("models are listed, the default first", async () => {
  const { ada } = await open()
  expect(must(await ada.listModels()).items).toEqual([
    { name: "scripted", model: "scripted", provider: "scripted", problem: null, images: false },
  ])
})

it("pictures are refused for a model that takes none, and the words say so", async () => {
  const { ada } = await open()
  const picture = { type: "file" as const, mediaType: "image/png" as const, data: "iVBORw0KGgo=" }
  const messages = [{ role: "user" as const, content: [picture] }]
  const reply = await ada.startRun({ query: { wait: 0 }, body: { principal: "chat", title: "x", messages } })
  expect(reply).toMatchObject({
    ok: false,
    problem: { code: "bad-request", detail: expect.stringContaining("takes no pictures") },
  })
})
