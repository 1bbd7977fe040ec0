/** Runs that callers carry over the API: in the session of each answer, as exported text, and as recordings. */
import { randomBytes } from "node:crypto"
import type { Client } from "@byleave/api"
import { afterEach, describe, expect, it } from "vitest"
import { opening } from "../../opening.ts"
import { codeOf, must } from "../open-service.ts"
import { openRunsService } from "./open-runs-service.ts"

const steps = [
  { say: "I will write.", calls: [{ tool: "files(write)", args: { path: "c" } }] },
  { say: "And once more.", calls: [{ tool: "files(write)", args: { path: "d" } }] },
  { say: "Done." },
]

const { open, closeAll } = opening(openRunsService)
afterEach(closeAll)

const start = async (client: Client, prompt = "write") => must(await client.startRun({ body: { prompt } }))

/** Everything that waits, allowed, as a program sends it back. */
function allowed({ data }: Awaited<ReturnType<typeof start>>) {
  return { tool_calls: data.tool_calls.map((call) => ({ ...call, execute: true })), session: data.session }
}

describe("the session of an answer (R71, R72, R74, R76, R78)", () => {
  it("goes back with the answers, to the run or to where runs start, and is good for one continuation", async () => {
    const { runner, tools } = await open(steps)
    const client = await runner("ci", true)
    const first = await start(client)
    const params = { id: first.run_id }
    const second = must(await client.continueRun({ params, body: { data: allowed(first) } }))
    expect(second).toMatchObject({ status: "paused", needs_approval: true })
    expect(second.data.session).not.toBe(first.data.session)
    expect(await client.continueRun({ params, body: { data: allowed(first) } })).toMatchObject({
      ok: false,
      problem: { code: "state-used", detail: expect.stringContaining("has gone on") },
    })
    const third = must(await client.startRun({ body: { data: allowed(second) } }))
    expect(third).toMatchObject({ status: "finished", run_id: first.run_id, text: "Done.", paused_run_state: null })
    expect(tools.dispatched).toEqual([
      { tool: "write", args: { path: "c" } },
      { tool: "write", args: { path: "d" } },
    ])
  })

  it("opens nothing but the caller's own run, unchanged", async () => {
    const { runner } = await open(steps)
    const [ours, theirs] = [await runner("ci", true), await runner("other", true)]
    const run = await start(ours)
    const other = await start(ours)
    const params = { id: run.run_id }
    const go = (client: Client, session: string) =>
      client.continueRun({ params, body: { data: { ...allowed(run), session } } })
    const session = run.data.session ?? ""
    expect(codeOf(await go(theirs, session))).toBe("not-found")
    expect(codeOf(await theirs.startRun({ body: { data: allowed(run) } }))).toBe("not-found")
    expect(codeOf(await go(ours, other.data.session ?? ""))).toBe("state-foreign")
    expect(codeOf(await go(ours, `${session.slice(0, -8)}AAAAAAAA`))).toBe("state-tampered")
    expect(codeOf(await go(ours, other.run_id))).toBe("state-malformed")
    expect(must(await go(ours, run.run_id))).toMatchObject({ status: "paused" })
  })

  it("is the run's id where the run is large (R73)", async () => {
    const content = randomBytes(1_000_000).toString("base64")
    const { runner } = await open([{ say: "x", calls: [{ tool: "files(write)", args: { path: "c", content } }] }])
    const run = await start(await runner("ci"))
    expect(run.data.session).toBe(run.run_id)
  })

  it("is not imported: its run is still where it was", async () => {
    const { runner, person } = await open(steps)
    const run = await start(await runner("ci"))
    const { client } = await person("anna")
    expect(codeOf(await client.importRun({ body: { state: run.data.session ?? "" } }))).toBe("state-not-exported")
  })
})

describe("an export", () => {
  it.each(["zstd", "gzip"] as const)("goes on at another Byleave, asked anew there (%s)", async (format) => {
    const [here, there] = [await open(steps), await open(steps)]
    const run = await start((await here.person("anna")).client)
    const { client } = await here.person("bob", { presence: false })
    const exported = must(await client.exportRun({ params: { id: run.run_id }, body: { format } }))
    expect(codeOf(await client.exportRun({ params: { id: run.run_id }, body: { format } }))).toBe("run-ended")
    expect(must(await client.getRun({ params: { id: run.run_id } })).run).toMatchObject({ wasExported: true })

    const absent = await there.person("cleo", { presence: false })
    const body = { state: exported.state }
    expect(codeOf(await absent.client.importRun({ body }))).toBe("presence-needed")
    const dora = await there.person("dora")
    const brought = must(await dora.client.importRun({ body }))
    expect(brought).toMatchObject({ status: "paused", pending_requirements: [{ tool_args: { path: "c" } }] })
    expect(codeOf(await dora.client.importRun({ body }))).toBe("state-used")
    expect(here.tools.dispatched).toEqual([])
  })

  it("is a reviewer's to ask for, not a program's", async () => {
    const { runner } = await open(steps)
    const client = await runner("ci", true)
    const run = await start(client)
    expect(codeOf(await client.exportRun({ params: { id: run.run_id }, body: {} }))).toBe("wrong-credential")
    expect(codeOf(await client.importRun({ body: { state: "x" } }))).toBe("wrong-credential")
  })

  it("of 14 MB is imported; what is larger than may be sent is refused", { timeout: 60_000 }, async () => {
    const talk = Array.from({ length: 20 }, () => ({ say: "Go on." }))
    const [here, there] = [await open(talk), await open(talk)]
    const { client } = await here.person("anna")
    const run = await start(client)
    const params = { id: run.run_id }
    // A request has a megabyte at most.
    for (let said = 0; said < 14; said++) {
      must(await client.continueRun({ params, body: { message: randomBytes(499_000).toString("hex") } }))
    }
    expect(must(await client.getRun({ params })).run.bytes).toBeGreaterThan(13_900_000)
    const exported = must(await client.exportRun({ params, body: {} }))
    const dora = await there.person("dora")
    must(await dora.client.importRun({ body: { state: exported.state } }))
    expect(codeOf(await dora.client.importRun({ body: { state: "x".repeat(33 * 1024 * 1024) } }))).toBe("too-large")
  })
})

describe("a recording", () => {
  it("is of a run that is over, without keys, and the starter's own (R190, R191)", async () => {
    const { runner } = await open(steps)
    const [ours, theirs] = [await runner("ci", true), await runner("other")]
    const first = await start(ours)
    const params = { id: first.run_id }
    const early = await ours.stream("recordRun", { params })
    expect(early).toMatchObject({ ok: false, problem: { code: "run-waits" } })
    const second = must(await ours.continueRun({ params, body: { data: allowed(first) } }))
    must(await ours.continueRun({ params, body: { data: allowed(second) } }))
    expect(await theirs.stream("recordRun", { params })).toMatchObject({ ok: false, problem: { code: "not-found" } })
    const text = await new Response(must(await ours.stream("recordRun", { params }))).text()
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({ end: { status: "finished" } })
    expect(text).toContain("I will write.")
  })
})
