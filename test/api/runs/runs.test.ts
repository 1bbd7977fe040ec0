/** Agent runs over the real handler: what a start and a continue answer, who may see and decide what, and what is told while they go on. */
import { bindVerdict, type Client, createClient, type RunEventView } from "@byleave/api"
import { afterEach, describe, expect, it } from "vitest"
import { opening } from "../../opening.ts"
import { countingTools } from "../../runs/open-runs.ts"
import { codeOf, must, url } from "../open-service.ts"
import { openRunsService } from "./open-runs-service.ts"

const tidyUp = [
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
  { say: "And once more.", calls: [{ tool: "files(write)", args: { path: "e" } }] },
  { say: "Now it is done." },
]

const { open, closeAll } = opening(openRunsService)
afterEach(closeAll)

const start = async (client: Client, prompt = "tidy my notes") => must(await client.startRun({ body: { prompt } }))
const params = (run: { readonly run_id: string }) => ({ id: run.run_id })

describe("a start", () => {
  it("R68, R74: answers where the run pauses, with what waits as data", async () => {
    const { runner, tools } = await open(tidyUp)
    const client = await runner("ci")
    const body = { prompt: "tidy my notes", metadata: { ticket: 7 }, conversation_id: "thread-1" }
    const run = must(await client.startRun({ body }))
    expect(run).toMatchObject({
      conversation_id: "thread-1",
      status: "paused",
      text: "I will tidy up.",
      needs_approval: true,
      has_pending_approvals: true,
      is_complete: false,
      paused_run_state: expect.stringMatching(/^byleave-run\.1\./),
      data: {
        tool_calls: [
          { name: "files(write)", input: { path: "c" }, execute: false },
          { name: "files(move)", input: { path: "d" }, execute: false },
        ],
        session: run.paused_run_state,
      },
      metadata: { ticket: 7 },
    })
    expect(run.pending_requirements.map(({ tool_name, tool_args }) => ({ tool_name, tool_args }))).toEqual([
      { tool_name: "files(write)", tool_args: { path: "c" } },
      { tool_name: "files(move)", tool_args: { path: "d" } },
    ])
    expect(run.pending_requirements.every(({ why }) => why.includes("no rule matches"))).toBe(true)
    expect(run.usage.total_tokens).toBeGreaterThan(0)
    expect(tools.dispatched).toEqual([{ tool: "read", args: { path: "a" } }])
  })

  it("tells the state as it is where the run takes longer than the caller waits", async () => {
    const held = Promise.withResolvers<void>()
    const tools = countingTools(["read"], async () => {
      await held.promise
      return { kind: "succeeded", result: { content: [] } }
    })
    const { runner } = await open([{ calls: [{ tool: "files(read)", args: {} }] }, { say: "Done." }], { tools })
    const client = await runner("ci")
    const begun = must(await client.startRun({ query: { wait: 0 }, body: { prompt: "read" } }))
    expect(begun).toMatchObject({ status: "running", text: "", is_complete: false, has_pending_approvals: false })
    const again = { params: params(begun), query: { wait: 0 }, body: {} }
    expect(codeOf(await client.continueRun(again))).toBe("run-under-way")
    held.resolve()
    await expect.poll(async () => must(await client.getRun({ params: params(begun) })).run.status).toBe("finished")
  })

  it.each([
    { name: "an unknown model", body: { prompt: "x", model: "other" }, code: "no-model" },
    { name: "an unknown server", body: { prompt: "x", servers: ["nowhere"] }, code: "bad-request" },
    { name: "neither prompt nor messages", body: {}, code: "bad-request" },
    { name: "both", body: { prompt: "x", messages: [{ role: "user" as const, content: "y" }] }, code: "bad-request" },
  ])("is refused with $name", async ({ body, code }) => {
    const { runner } = await open(tidyUp)
    expect(codeOf(await (await runner("ci")).startRun({ body }))).toBe(code)
  })

  it("is refused where no model is configured", async () => {
    const { runner } = await open(tidyUp, { models: [] })
    const reply = await (await runner("ci")).startRun({ body: { prompt: "x" } })
    expect(reply).toMatchObject({ ok: false, problem: { code: "no-model", status: 409 } })
  })
})

describe("decisions of a program whose token conveys them", () => {
  it("R75, R98: each call is decided for itself, in one go, and runs once", async () => {
    const { runner, tools } = await open(tidyUp)
    const client = await runner("ci", true)
    const run = await start(client)
    const [write, move] = run.pending_requirements
    const done = must(
      await client.continueRun({
        params: params(run),
        body: [
          { requirement_id: write?.requirement_id ?? "", execute: true },
          { requirement_id: move?.requirement_id ?? "", execute: false, rejection_reason: "Not that one." },
        ],
      }),
    )
    expect(done).toMatchObject({ status: "finished", text: "Done.", is_complete: true, pending_requirements: [] })
    expect(done.decisions?.map(({ ok }) => ok)).toEqual([true, true])
    expect(tools.dispatched.slice(1)).toEqual([{ tool: "write", args: { path: "c" } }])
    const { items } = must(await client.runStory({ params: params(run) }))
    const denied = items.find((item) => item.kind === "outcome" && item.text === "Not that one.")
    expect(denied).toMatchObject({ outcome: "refusal" })
  })

  it("R76: they may arrive as the calls that were told, in the next message", async () => {
    const { runner } = await open(tidyUp)
    const client = await runner("ci", true)
    const run = await start(client)
    const tool_calls = run.data.tool_calls.map(({ id }) => ({ id, execute: true }))
    const done = must(await client.continueRun({ params: params(run), body: { data: { tool_calls, session: null } } }))
    expect(done).toMatchObject({ status: "finished", text: "Done." })
  })

  it("R69, R79: partly answered, the run says what is missing; a continued run may pause again", async () => {
    const { runner } = await open(tidyUp)
    const client = await runner("ci", true)
    const run = await start(client)
    const [write, move] = run.pending_requirements
    const answer = (requirement_id = "") => [{ requirement_id, execute: true }]
    const partly = must(await client.continueRun({ params: params(run), body: answer(write?.requirement_id) }))
    expect(partly.status).toBe("paused")
    expect(partly.pending_requirements.map(({ requirement_id }) => requirement_id)).toEqual([move?.requirement_id])
    const early = await client.continueRun({ params: params(run), body: { message: "go on" } })
    expect(early).toMatchObject({ ok: false, problem: { code: "run-waits" } })
    expect(JSON.stringify(early)).toContain(move?.requirement_id)
    must(await client.continueRun({ params: params(run), body: answer(move?.requirement_id) }))
    const next = must(await client.continueRun({ params: params(run), body: { message: "once more" } }))
    expect(next).toMatchObject({ status: "paused", text: "And once more." })
    const last = must(
      await client.continueRun({ params: params(run), body: answer(next.pending_requirements[0]?.requirement_id) }),
    )
    expect(last).toMatchObject({ status: "finished", text: "Now it is done." })
  })

  it("a message that comes with the last answers is heard once the run is through with them", async () => {
    const { runner } = await open(tidyUp)
    const client = await runner("ci", true)
    const run = await start(client)
    const decisions = run.pending_requirements.map(({ requirement_id }) => ({ requirement_id, execute: true }))
    const next = must(await client.continueRun({ params: params(run), body: { decisions, message: "once more" } }))
    const { items } = must(await client.runStory({ params: params(run) }))
    const said = items.flatMap((item) => (item.kind === "message" ? item.text : []))
    expect(said).toEqual(["tidy my notes", "once more"])
    expect(["paused", "finished"]).toContain(next.status)
  })

  it("an answer twice is fine, another one is a conflict, and one about a call of nobody's decides nothing", async () => {
    const { runner, tools } = await open(tidyUp)
    const client = await runner("ci", true)
    const run = await start(client)
    const all = run.pending_requirements.map(({ requirement_id }) => ({ requirement_id, execute: true }))
    const stray = await client.continueRun({
      params: params(run),
      body: [...all, { requirement_id: "another", execute: true }],
    })
    expect(codeOf(stray)).toBe("bad-request")
    expect(must(await client.getRun({ params: params(run) })).requirements.some(({ isAnswered }) => isAnswered)).toBe(
      false,
    )
    must(await client.continueRun({ params: params(run), body: all }))
    must(await client.continueRun({ params: params(run), body: all }))
    const other = all.map((decision) => ({ ...decision, execute: false }))
    expect(codeOf(await client.continueRun({ params: params(run), body: other }))).not.toBe("ok")
    expect(tools.dispatched).toHaveLength(3)
  })
})

describe("two decisions about one call", () => {
  type Named = Readonly<Record<"requirement" | "toolCall", string>>
  const yes = (requirement_id: string) => ({ requirement_id, execute: true })
  it.each([
    { name: "by the same id", body: ({ requirement: id }: Named) => [yes(id), yes(id)] },
    { name: "a yes and a no", body: ({ requirement: id }: Named) => [yes(id), { ...yes(id), execute: false }] },
    { name: "by two ids of it", body: ({ requirement, toolCall }: Named) => [yes(requirement), yes(toolCall)] },
    {
      name: "as a decision and as a call that was told",
      body: ({ requirement, toolCall: id }: Named) => ({
        decisions: [yes(requirement)],
        data: { tool_calls: [{ id, execute: true }] },
      }),
    },
  ])("are refused, and nothing is decided: $name", async ({ body }) => {
    const { runner, tools } = await open(tidyUp)
    const client = await runner("ci", true)
    const run = await start(client)
    const told = must(await client.getRun({ params: params(run) })).requirements
    const [first] = told
    const named = { requirement: first?.approval?.id ?? "", toolCall: first?.toolCall ?? "" }
    const refused = await client.continueRun({ params: params(run), body: body(named) })
    expect(refused).toMatchObject({
      problem: { code: "bad-request", detail: expect.stringContaining("decide once about each call") },
    })
    const { requirements } = must(await client.getRun({ params: params(run) }))
    expect(requirements.map(({ isAnswered }) => isAnswered)).toEqual(told.map(() => false))
    expect(tools.dispatched).toHaveLength(1)
  })
})

it("a program whose token conveys nothing cannot approve its own calls, and can deny them", async () => {
  const { runner, tools } = await open(tidyUp)
  const client = await runner("ci")
  const run = await start(client)
  const decisions = (execute: boolean) =>
    run.pending_requirements.map(({ requirement_id }) => ({ requirement_id, execute }))
  const approving = await client.continueRun({ params: params(run), body: decisions(true) })
  expect(approving).toMatchObject({ ok: false, problem: { code: "decision-needs-reviewer", status: 403 } })
  const done = must(await client.continueRun({ params: params(run), body: decisions(false) }))
  expect(done).toMatchObject({ status: "finished" })
  expect(tools.dispatched).toHaveLength(1)
})

describe("a reviewer", () => {
  it("approves by continuing only with presence, and only what was shown", async () => {
    const { person, tools } = await open(tidyUp)
    const { client: absent } = await person("ana", { presence: false })
    const { client } = await person("ana")
    const begin = { body: { prompt: "tidy my notes" } }
    expect(codeOf(await absent.startRun(begin))).toBe("presence-needed")
    const run = await start(client)
    const of = { params: params(run) }
    const [write, move] = run.pending_requirements
    for (const body of [{ message: "And now the rest." }, { instructions: "Do as the message says." }, {}]) {
      expect(codeOf(await absent.continueRun({ ...of, body }))).toBe("presence-needed")
    }
    const id = write?.requirement_id ?? ""
    const yes = (digest?: string) => [
      { requirement_id: id, execute: true, ...(digest === undefined ? {} : { digest }) },
    ]
    const plain = await client.continueRun({ ...of, body: yes() })
    expect(plain).toMatchObject({ ok: false, problem: { code: "decision-needs-digest" } })
    expect(JSON.stringify(plain)).toContain("Approve it in the inbox")
    const view = must(await client.getApproval({ params: { id } }))
    const { digest } = await bindVerdict(view, { kind: "approve" })
    expect(codeOf(await absent.continueRun({ ...of, body: yes(digest) }))).toBe("presence-needed")
    const other = await bindVerdict({ ...view, args: { path: "x" } }, { kind: "approve" })
    expect(codeOf(await client.continueRun({ ...of, body: yes(other.digest) }))).toBe("digest-mismatch")
    const body = [...yes(digest), { requirement_id: move?.requirement_id ?? "", execute: false }]
    expect(must(await client.continueRun({ ...of, body }))).toMatchObject({ status: "finished" })
    expect(tools.dispatched.slice(1)).toEqual([{ tool: "write", args: { path: "c" } }])
  })

  it("lets a failed run go on with no denial that was given before, but with presence", async () => {
    const read = (path: string) => ({ calls: [{ tool: "files(read)", args: { path } }] })
    const steps = [{ calls: [{ tool: "files(write)", args: { path: "a" } }] }, read("b"), read("c"), { say: "Done." }]
    const { person, tools } = await open(steps)
    const { client: absent } = await person("ana", { presence: false })
    const { client } = await person("ana")
    const run = must(await client.startRun({ body: { prompt: "tidy", maxSteps: 1 } }))
    const no = [{ requirement_id: run.pending_requirements[0]?.requirement_id ?? "", execute: false }]
    const status = async () => must(await absent.getRun({ params: params(run) })).run.status
    must(await absent.continueRun({ params: params(run), body: no }))
    await expect.poll(status).toBe("failed")
    must(await absent.continueRun({ params: params(run), body: no }))
    expect(await status()).toBe("failed")
    expect(tools.dispatched).toEqual([{ tool: "read", args: { path: "b" } }])
    must(await client.continueRun({ params: params(run), body: {} }))
    expect(tools.dispatched).toHaveLength(2)
  })

  it.each(["/api/runs/chat", "/api/runs/ag-ui"])("begins nothing at %s without presence", async (path) => {
    const { person, send, proofOf } = await open(tidyUp)
    const { key } = await person("ana", { presence: false })
    const body = JSON.stringify({
      ...{ threadId: "t", runId: "r" },
      messages: [{ id: "m", role: "user", content: "x", parts: [{ type: "text", text: "x" }] }],
    })
    const dpop = await proofOf(key, "POST", path, body)
    const answer = await send(path, { method: "POST", headers: { "content-type": "application/json", dpop }, body })
    expect(await answer.json()).toMatchObject({ code: "presence-needed" })
  })

  it("sees the runs of all, cancels any, and deletes with presence", async () => {
    const { runner, person } = await open(tidyUp)
    const run = await start(await runner("ci"))
    const { client: absent } = await person("ana", { presence: false })
    const { client } = await person("ana")
    expect(must(await absent.listRuns()).items.map(({ id }) => id)).toEqual([run.run_id])
    expect(must(await absent.cancelRun({ params: params(run) }))).toMatchObject({ status: "cancelled", by: "ana" })
    expect(must(await client.listApprovals({ query: { status: "pending" } })).items).toEqual([])
    const late = await client.continueRun({ params: params(run), body: { message: "go on" } })
    expect(codeOf(late)).toBe("run-ended")
    expect(codeOf(await absent.removeRun({ params: params(run) }))).toBe("presence-needed")
    must(await client.removeRun({ params: params(run) }))
    expect(codeOf(await client.getRun({ params: params(run) }))).toBe("not-found")
  })

  it("hears of every change of a run on the stream of all events", async () => {
    const { person } = await open(tidyUp)
    const { client } = await person("ana")
    const over = new AbortController()
    const events = must(await client.events({ after: 0, signal: over.signal }))
    const run = await start(client)
    for await (const { type, subject } of events) {
      if (type === "agent-run.changed" && subject === run.run_id) break
    }
    over.abort()
  })
})

describe("who may use runs", () => {
  it("another's run is not there for a program", async () => {
    const { runner, person } = await open(tidyUp)
    const run = await start(await runner("ci"))
    const other = await runner("other", true)
    const of = { params: params(run) }
    const [asked] = run.pending_requirements
    const replies = [
      await other.getRun(of),
      await other.runStory(of),
      await other.runEvents(of),
      await other.continueRun({ ...of, body: [{ requirement_id: asked?.requirement_id ?? "", execute: true }] }),
      await other.cancelRun(of),
      await other.removeRun(of),
    ]
    expect(replies.map(codeOf)).toEqual(replies.map(() => "not-found"))
    expect(must(await other.listRuns()).items).toEqual([])
    const { client } = await person("ana")
    const own = await start(client)
    expect(codeOf(await other.getRun({ params: params(own) }))).toBe("not-found")
  })

  it("a saved thread tells people how a server is reached, and programs only which one it is", async () => {
    const { runner, person } = await open(tidyUp)
    const ours = await runner("ci")
    const run = await start(ours)
    const saved = async (client: Client): Promise<string> => {
      const file = must(await client.stream("saveThread", { params: params(run), query: { as: "json" } }))
      return new Response(file).text()
    }
    const { client } = await person("ana")
    expect(await saved(client)).toContain('"server_description": "stdio: ')
    expect(await saved(ours)).toContain('"server_description": "stdio"')
  })

  it("tokens of agents and gates may not, nor one that was revoked; a runner's opens nothing else", async () => {
    const service = await open(tidyUp)
    const { server, tokenOf, credentials } = service
    const by = (token: string) =>
      createClient({
        url,
        token,
        fetch: async (input, init) => server.fetch(new Request(input as string, init)),
      })
    for (const kind of ["agent", "gate"] as const) {
      expect(codeOf(await by(await tokenOf(`a-${kind}`, kind)).listRuns())).toBe("wrong-credential")
    }
    const token = await tokenOf("ci", "runner")
    expect(codeOf(await by(token).listRuns())).toBe("ok")
    expect(codeOf(await by(token).listApprovals())).toBe("wrong-credential")
    expect(codeOf(await by(token).addToken({ body: { id: "x", kind: "agent" } }))).toBe("wrong-credential")
    expect(await credentials.identify.agent(`Bearer ${token}`)).toBeNull()
    expect(await credentials.identify.gate(`Bearer ${token}`)).toBeNull()
    await credentials.revokeToken("ci", null)
    expect(codeOf(await by(token).listRuns())).toBe("wrong-credential")
  })

  it.each(["run", "chat", "Run"])("nobody gets a token called %s: runs make their calls by that name", async (id) => {
    const { person } = await open(tidyUp)
    const { client } = await person("ana")
    expect(codeOf(await client.addToken({ body: { id, kind: "agent" } }))).toBe("bad-request")
  })

  it("a token that conveys decisions is made with presence, is a runner's, and is recorded as that", async () => {
    const { person } = await open(tidyUp)
    const { client: absent } = await person("ana", { presence: false })
    const { client } = await person("ana")
    const body = { id: "ci", kind: "runner", conveysDecisions: true } as const
    expect(codeOf(await absent.addToken({ body }))).toBe("presence-needed")
    expect(codeOf(await client.addToken({ body: { ...body, kind: "agent" } }))).toBe("bad-request")
    const { token, secret } = must(await client.addToken({ body }))
    expect(token).toMatchObject({ kind: "runner", conveysDecisions: true })
    expect(secret).toMatch(/^byl_runner_/)
    const { items } = must(await client.listAudit({ query: { types: "access.changed" } }))
    expect(items[0]?.body).toMatchObject({ what: "token", name: "ci", conveysDecisions: true, by: "ana" })
  })
})

describe("what is told of a run", () => {
  it("a late watcher hears the leg under way from its beginning, then how it ends", async () => {
    const held = Promise.withResolvers<void>()
    const tools = countingTools(["read"], async () => {
      await held.promise
      return { kind: "succeeded", result: { content: [{ type: "text", text: "read it" }] } }
    })
    const steps = [{ say: "One moment.", calls: [{ tool: "files(read)", args: {} }] }, { say: "Done." }]
    const { runner } = await open(steps, { tools })
    const client = await runner("ci")
    const run = must(await client.startRun({ query: { wait: 0 }, body: { prompt: "read" } }))
    await expect.poll(() => tools.dispatched.length).toBe(1)
    const over = new AbortController()
    const events: RunEventView[] = []
    for await (const event of must(await client.runEvents({ params: params(run), signal: over.signal }))) {
      events.push(event)
      if (event.type === "part" && event.part.type === "tool-call") held.resolve()
      if (event.type === "state" && event.run.status === "finished") break
    }
    over.abort()
    expect(events[0]).toMatchObject({ type: "state", run: { status: "running" } })
    const said = events.flatMap((event) =>
      event.type === "part" && event.part.type === "text" ? event.part.delta : [],
    )
    expect(said.join("")).toBe("One moment.Done.")
    expect(JSON.stringify(events)).toContain("read it")
  })

  it("lists page by page, by status; a story tells who said and did what", async () => {
    const { runner } = await open([{ say: "Hello." }])
    const client = await runner("ci")
    const ids: string[] = []
    for (const prompt of ["one", "two", "three"]) ids.unshift((await start(client, prompt)).run_id)
    const first = must(await client.listRuns({ query: { limit: 2, status: "finished" } }))
    const second = must(await client.listRuns({ query: { limit: 2, after: first.next ?? "" } }))
    expect([...first.items, ...second.items].map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(must(await client.listRuns({ query: { status: "paused" } })).items).toEqual([])
    const { items, next } = must(await client.runStory({ params: { id: ids[0] ?? "" } }))
    expect(items.map((item) => ("text" in item ? `${item.kind} ${item.text}` : item.kind))).toEqual([
      "message three",
      "answer Hello.",
      "leg-ended",
    ])
    expect(must(await client.runStory({ params: { id: ids[0] ?? "" }, query: { after: next ?? 0 } }))).toEqual({
      items: [],
      next: null,
    })
  })
})
