/** What one program may take of the service by agent runs: lists and streams stay small, and a revoked token does nothing more. */
import { afterEach, describe, expect, it } from "vitest"
import { opening } from "../../opening.ts"
import { countingTools } from "../../runs/open-runs.ts"
import { codeOf, must, url } from "../open-service.ts"
import { openRunsService } from "./open-runs-service.ts"

const { open, closeAll } = opening(openRunsService)
afterEach(closeAll)

const oneWrite = [{ calls: [{ tool: "files(write)", args: { path: "a" } }] }, { say: "Done." }]
const large = { instructions: "i".repeat(200_000), metadata: { note: "m".repeat(16_000) } }

describe("what starters send", () => {
  it("is told of one run, and of none in a list", async () => {
    const client = await (await open(oneWrite)).runner("ci")
    const run = must(await client.startRun({ body: { prompt: "write", ...large } }))
    const { items } = must(await client.listRuns())
    expect(items).toMatchObject([{ id: run.run_id, status: "paused", waitsFor: 1, model: "scripted" }])
    expect(JSON.stringify(items).length).toBeLessThan(1_000)
    expect(must(await client.getRun({ params: { id: run.run_id } }))).toMatchObject({
      run: { ...large, waitsFor: 1, requirements: [{ tool: { tool: "write" } }] },
      requirements: [{ isAnswered: false, approval: { status: "pending" } }],
    })
  })

  it("as metadata is 16 kB at the most, and the problem says so", async () => {
    const client = await (await open(oneWrite)).runner("ci")
    const refused = await client.startRun({ body: { prompt: "write", metadata: { note: "m".repeat(17_000) } } })
    expect(refused).toMatchObject({
      problem: { code: "bad-request", problems: [expect.stringContaining("metadata: At most 16 kB")] },
    })
  })
})

describe("answers to what runs wait for", () => {
  const yes = { execute: true }
  const many = Array.from({ length: 257 }, (_, at) => `a${at}`)
  const resume = many.map((interruptId) => ({ interruptId, status: "resolved", payload: { approved: true } }))
  it.each([
    ["a list", "continue", many.map((requirement_id) => ({ requirement_id, ...yes }))],
    ["decisions", "continue", { decisions: many.map((requirement_id) => ({ requirement_id, ...yes })) }],
    ["calls", "continue", { data: { tool_calls: many.map((id) => ({ id, ...yes })) } }],
    ["a resume", "ag-ui", { threadId: "t", runId: "r", messages: [], resume }],
  ])("are as many in one request as a run may wait for: %s", async (_, route, body) => {
    const service = await open(oneWrite)
    const token = await service.tokenOf("ci", "runner")
    const send = (path: string, sent: object) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
      return service.server.fetch(new Request(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(sent) }))
    }
    const { run_id: id } = (await (await send("/api/runs", { prompt: "write" })).json()) as { run_id: string }
    const refused = await send(route === "ag-ui" ? "/api/runs/ag-ui" : `/api/runs/${id}/continue`, body)
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain("256")
  })
})

describe("streams of runs", () => {
  it("are so many for one program, and others have theirs; one that ends makes room", async () => {
    const service = await open(oneWrite)
    const client = await service.runner("ci")
    const { run_id: id } = must(await client.startRun({ body: { prompt: "write", ...large } }))
    const stops = Array.from({ length: 33 }, () => new AbortController())
    const replies = await Promise.all(stops.map(({ signal }) => client.runEvents({ params: { id }, signal })))
    expect(replies.map(codeOf).filter((code) => code === "ok")).toHaveLength(32)
    expect(replies.map(codeOf)).toContain("too-many-streams")
    const { client: ana } = await service.person("ana")
    expect(codeOf(await ana.runEvents({ params: { id }, signal: AbortSignal.timeout(5_000) }))).toBe("ok")
    stops[0]?.abort()
    const over = new AbortController()
    const next = () => client.runEvents({ params: { id }, signal: over.signal })
    let reply = await next()
    // A stream that was left is over a moment later.
    await expect
      .poll(async () => {
        if (!reply.ok) reply = await next()
        return codeOf(reply)
      })
      .toBe("ok")
    const [first] = await firstOf(must(reply))
    expect(JSON.stringify(first).length).toBeLessThan(1_000)
    expect(first).toMatchObject({ type: "state", run: { status: "paused", waitsFor: 1 } })
    for (const stop of [...stops, over]) stop.abort()
  })
})

async function firstOf<T>(events: AsyncIterable<T>): Promise<readonly T[]> {
  for await (const event of events) return [event]
  return []
}

/** Counts who reads which journal at the same time. While `held` names a run, nobody gets to read it. */
function journals() {
  const state = { held: null as string | null }
  const now = new Map<string, number>()
  const most = new Map<string, number>()
  const free = Promise.withResolvers<void>()
  const onJournal = async (run: string) => {
    const readers = (now.get(run) ?? 0) + 1
    now.set(run, readers)
    most.set(run, Math.max(most.get(run) ?? 0, readers))
    if (run === state.held) await free.promise
    // As from a store elsewhere: others ask in the meantime.
    await new Promise((resolve) => setTimeout(resolve))
    return { end: () => void now.set(run, (now.get(run) ?? 1) - 1) }
  }
  return { state, most, onJournal, release: free.resolve }
}

describe("small requests that name a large run", () => {
  const said = [{ say: "Done." }, { say: "Done." }]

  async function flooded() {
    const reads = journals()
    const service = await open(said, { onJournal: reads.onJournal })
    const token = await service.tokenOf("ci", "runner")
    const send = (path: string, body?: object, by = token): Promise<Response> => {
      const headers = {
        authorization: `Bearer ${by}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      }
      const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) }
      return service.server.fetch(new Request(`${url}${path}`, init))
    }
    const made = (await (await send("/v1/responses", { input: "x ".repeat(100_000) })).json()) as { id: string }
    const [, run = ""] = made.id.split("_")
    reads.most.clear()
    return { ...reads, service, send, run, response: made.id }
  }

  const requests: ReadonlyArray<readonly [string, (run: string, response: string) => readonly [string, object?]]> = [
    ["response", (_, id) => [`/v1/responses/${id}`]],
    ["input of a response", (_, id) => [`/v1/responses/${id}/input_items`]],
    [
      "reference to an item",
      (run) => ["/v1/responses", { input: [{ type: "item_reference", id: `msg_${run}_1_1_1` }] }],
    ],
    ["thread", (run) => [`/api/runs/${run}/thread`]],
    ["recording", (run) => [`/api/runs/${run}/recording`]],
    ["story", (run) => [`/api/runs/${run}/story`]],
    ["search", () => ["/api/runs?text=zzzz"]],
    ["run", (run) => [`/api/runs/${run}`]],
    ["chat that is opened again", (run) => [`/api/runs/chat/${run}/stream`]],
  ]

  it.each(requests)("are done one after the other: %s", async (_, request) => {
    const { send, run, response, most } = await flooded()
    const answers = await Promise.all(
      Array.from({ length: 24 }, async () => {
        const answer = await send(...request(run, response))
        await answer.text()
        return answer.status
      }),
    )
    expect(new Set(answers).size).toBe(1)
    expect(most.get(run)).toBe(1)
  })

  it("are done one after the other for a person, too: a search", async () => {
    const { service, run, most } = await flooded()
    const { client: ana } = await service.person("ana")
    const found = await Promise.all(Array.from({ length: 8 }, () => ana.listRuns({ query: { text: "zzzz" } })))
    expect(found.map((page) => must(page).items)).toEqual(Array.from({ length: 8 }, () => []))
    expect(most.get(run)).toBe(1)
  })

  it("follow it up one after the other: each branch is read when the one before has begun", async () => {
    const { send, run, response, most } = await flooded()
    const follow = async (): Promise<number> => {
      const answer = await send("/v1/responses", { previous_response_id: response, input: "again" })
      await answer.text()
      return answer.status
    }
    expect(new Set(await Promise.all(Array.from({ length: 12 }, follow)))).toEqual(new Set([200]))
    // The run's own next leg reads it as well.
    expect(most.get(run)).toBeLessThanOrEqual(2)
  })

  it("are refused beyond so many, while others read and are answered; then they are taken again", async () => {
    const { service, state, release, send, run, response } = await flooded()
    state.held = run
    const inTime = Array.from({ length: 64 }, () => send(`/v1/responses/${response}`))
    const refused = await Promise.all([
      send(`/v1/responses/${response}`),
      send("/v1/responses", { previous_response_id: response, input: "again" }),
    ])
    for (const answer of refused) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "5"])
      expect(await answer.json()).toMatchObject({ error: { code: "rate_limit_exceeded" } })
    }
    const thread = await send(`/api/runs/${run}/thread`)
    expect(thread.headers.get("retry-after")).toBe("5")
    expect(await thread.json()).toMatchObject({ code: "too-many-reads", status: 429 })
    const other = await service.tokenOf("other", "runner")
    const theirs = (await (await send("/v1/responses", { input: "y ".repeat(100_000) }, other)).json()) as {
      id: string
    }
    expect((await send(`/v1/responses/${theirs.id}`, undefined, other)).status).toBe(200)
    const { client: ana } = await service.person("ana")
    expect(must(await ana.listApprovals()).items).toEqual([])
    expect(must(await ana.listRuns()).items).toHaveLength(2)
    release()
    for (const answer of await Promise.all(inTime)) expect(answer.status).toBe(200)
    expect((await send(`/v1/responses/${response}`)).status).toBe(200)
  })
})

describe("a token that is revoked", () => {
  const reading = Array.from({ length: 8 }, (_, n) => ({ calls: [{ tool: "files(read)", args: { n } }] }))

  it("takes its runs along, running and paused, and what they wait for", async () => {
    const held = Promise.withResolvers<void>()
    const tools = countingTools(undefined, async () => {
      await held.promise
      return { kind: "succeeded", result: { content: [] } }
    })
    const service = await open([{ when: "write", calls: [{ tool: "files(write)", args: {} }] }, ...reading], { tools })
    const [ci, other] = [await service.runner("ci"), await service.runner("other")]
    const paused = must(await ci.startRun({ body: { prompt: "write" } }))
    const kept = must(await other.startRun({ body: { prompt: "write" } }))
    const running = must(await ci.startRun({ query: { wait: 0 }, body: { prompt: "go" } }))
    await expect.poll(() => tools.dispatched.length).toBe(1)
    await service.credentials.revokeToken("ci", null)
    const { client: ana } = await service.person("ana")
    const stateOf = async (id: string) => must(await ana.getRun({ params: { id } })).run
    for (const { run_id } of [paused, running]) {
      await expect.poll(async () => (await stateOf(run_id)).status).toBe("cancelled")
      expect(await stateOf(run_id)).toMatchObject({ detail: "its token was revoked." })
    }
    held.resolve()
    expect((await stateOf(kept.run_id)).status).toBe("paused")
    expect(must(await ana.listApprovals({ query: { status: "pending" } })).items).toHaveLength(1)
    expect(tools.dispatched).toHaveLength(1)
  })

  it("loses its streams of runs that are over, and a new one of its name has its own", async () => {
    const service = await open([{ say: "Done." }])
    const old = await service.runner("ci")
    const { run_id: id } = must(await old.startRun({ body: { prompt: "say" } }))
    await expect.poll(async () => must(await old.getRun({ params: { id } })).run.status).toBe("finished")
    const streams = await Promise.all(Array.from({ length: 32 }, () => old.runEvents({ params: { id } })))
    expect(new Set(streams.map(codeOf))).toEqual(new Set(["ok"]))
    await service.credentials.revokeToken("ci", null)
    const ended = streams.map(async (stream) => {
      for await (const _ of must(stream));
    })
    await Promise.allSettled(ended)
    const anew = await service.runner("ci")
    const own = must(await anew.startRun({ body: { prompt: "say" } }))
    const over = new AbortController()
    expect(codeOf(await anew.runEvents({ params: { id: own.run_id }, signal: over.signal }))).toBe("ok")
    over.abort()
  })

  it("leaves nothing for a new one of its name", async () => {
    const service = await open(oneWrite)
    const old = await service.runner("ci")
    const { run_id: id } = must(await old.startRun({ body: { prompt: "write" } }))
    await service.credentials.revokeToken("ci", null)
    const anew = await service.runner("ci")
    expect(codeOf(await anew.getRun({ params: { id } }))).toBe("not-found")
    expect(must(await anew.listRuns()).items).toEqual([])
    const own = must(await anew.startRun({ body: { prompt: "write" } }))
    expect(must(await anew.listRuns()).items).toMatchObject([
      { id: own.run_id, startedBy: { kind: "runner", id: "ci" } },
    ])
  })

  it("starts nothing by a request that was still being sent", async () => {
    const { server, tokenOf, credentials, tools, engine } = await open(reading)
    const token = await tokenOf("ci", "runner")
    const sending = Promise.withResolvers<void>()
    const body = new ReadableStream<Uint8Array>({
      start: async (controller) => {
        await sending.promise
        controller.enqueue(new TextEncoder().encode(JSON.stringify({ prompt: "read" })))
        controller.close()
      },
    })
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const init: RequestInit & { duplex: "half" } = { method: "POST", headers, body, duplex: "half" }
    const answered = server.fetch(new Request(`${url}/api/runs?wait=5`, init))
    await new Promise((resolve) => setTimeout(resolve, 20))
    await credentials.revokeToken("ci", null)
    sending.resolve()
    await answered
    await expect.poll(() => engine.gate.countRuns({ statuses: ["running", "paused"] })).toBe(0)
    expect(tools.dispatched).toEqual([])
  })
})
