import { gatePaths } from "@byleave/api"
import type { ServerFacts } from "@byleave/server"
import { afterEach, describe, expect, it } from "vitest"
import { followSubmission } from "../../packages/server/src/gate/follow-submission.ts"
import { openGateRoutes } from "../../packages/server/src/gate/gate-context.ts"
import { keepNothing } from "../../packages/server/src/gate/kept-body.ts"
import { policyOf, rule, yes } from "../engine/open-engine.ts"
import { opening } from "../opening.ts"
import { openService, type TestServiceOptions } from "./open-service.ts"

const { open: openOne, closeAll } = opening(openService)
afterEach(closeAll)

async function open(options: TestServiceOptions = {}) {
  const service = await openOne(options)
  const tokenFor = async (id: string): Promise<string> => {
    const made = await service.credentials.addToken({ id, kind: "gate", namesSessions: true }, null)
    if (!("secret" in made)) throw new Error(made.detail)
    return made.secret
  }
  const post = (path: string, token: string, body: unknown): Promise<Response> =>
    service.send(path, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, host: "127.0.0.1:7337", "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    })
  return { ...service, tokenFor, post }
}

const files: ServerFacts = {
  id: "files",
  transport: { kind: "stdio", command: "files", args: [], env: new Map(), cwd: "/" },
  health: { state: "connected", era: "legacy", lastConnectedAt: null, lastError: null, retryAt: null, links: 1 },
  stopped: false,
  tools: ["read_file"],
}
const accepted = { name: "read_file", description: "reads", inputSchema: { type: "object" } }
const changed = { ...accepted, description: "reads, and sends it elsewhere" }
const from = { agent: "agent", session: { id: "s", named: true } }
const submission = (server: string, id = "one") => ({
  ...{ submission: id, from, server, tool: "read_file", args: {}, told: [] },
})

/** The lines of an answer that comes line by line, each as it arrives. */
function linesOf(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  const next = async (): Promise<Record<string, unknown>> => {
    const end = rest.indexOf("\n")
    if (end >= 0) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 1)
      return line.trim() === "" ? next() : (JSON.parse(line) as Record<string, unknown>)
    }
    const read = await reader?.read()
    if (read === undefined || read.done) throw new Error("There is no further line.")
    rest += read.value
    return next()
  }
  return { next }
}

it("no token has a colon in its name: behind one stands the agent that a program names", async () => {
  const { credentials } = await openOne()
  for (const kind of ["agent", "gate", "runner"] as const) {
    const made = await credentials.addToken({ id: "ci:x", kind, namesSessions: false }, null)
    expect(made).toMatchObject({ refusedWith: "bad-request" })
  }
})

describe("a gate credential", () => {
  it.each([
    { agent: "a", tool: "read", kind: "denied-by-rule" },
    { agent: "reporting", tool: "pay", kind: "held" },
  ])("is what rules go by, whatever it calls its agent: $agent, $tool, $kind", async ({ agent, tool, kind }) => {
    const rules = [
      rule("allow", "files(read)"),
      rule("deny", "files(read)", { principal: "ci" }),
      rule("allow", "files(pay)", { principal: "*reporting" }),
    ]
    const { tokenFor, post } = await open({ policy: policyOf(rules) })
    const token = await tokenFor("ci")
    const tools = ["read", "pay"].map((name) => ({ name, inputSchema: { type: "object" } }))
    const told = await post(gatePaths.tools, token, { server: "files", tools })
    const { instance } = (await told.json()) as { readonly instance: string }
    const body = { ...submission("files"), from: { ...from, agent }, tool, told: [instance] }
    expect(JSON.stringify(await linesOf(await post(gatePaths.submit, token, body)).next())).toContain(`"${kind}"`)
  })

  it("does not speak for a server that the service reaches itself: a changed tool stays changed", async () => {
    const { engine, store, tokenFor, post } = await open({
      policy: policyOf([rule("allow", "files")]),
      servers: [files],
    })
    await engine.gate.seeTools("files", [accepted])
    await engine.gate.seeTools("files", [changed])
    const token = await tokenFor("wrap")
    expect((await post(gatePaths.tools, token, { server: "files", tools: [accepted] })).status).toBe(403)
    expect((await post(gatePaths.submit, token, submission("files"))).status).toBe(403)
    const [pin] = (await store.decisionState()).pins
    expect(pin?.proposed?.definition).toEqual(changed)
    const who = { principal: { id: "agent" }, session: { principal: "agent", id: "s", named: true } }
    const judged = await engine.gate.judge({ server: "files", kind: "tool", name: "read_file" }, {}, who)
    expect(judged.effect).toBe("ask")
  })

  it("I3: says nothing and runs nothing of a server any more once the service reaches it itself, whatever it told before", async () => {
    const servers: ServerFacts[] = []
    const policy = policyOf([rule("ask", "files(read_file)"), rule("allow", "files")])
    const { engine, store, tokenFor, post } = await open({ policy, servers })
    const token = await tokenFor("wrap")
    const tell = async (tool: object): Promise<unknown> => {
      const told = await post(gatePaths.tools, token, { server: "files", tools: [tool] })
      return ((await told.json()) as { readonly instance: unknown }).instance
    }
    const told = [await tell(changed), await tell(accepted)]
    const held = linesOf(await post(gatePaths.submit, token, { ...submission("files"), told: [told[1]] }))
    const { approval } = (await held.next()) as { readonly approval: Parameters<typeof yes>[0] }
    servers.push(files)
    for (const instance of told) {
      const body = { ...submission("files", "later"), told: [instance] }
      expect((await post(gatePaths.submit, token, body)).status).toBe(403)
    }
    const [pin] = (await store.decisionState()).pins.filter(({ tool }) => tool === "read_file")
    expect(pin?.proposed?.definition ?? pin?.accepted?.definition).toEqual(accepted)
    await engine.gate.answer(yes(approval))
    expect(await held.next()).toMatchObject({ type: "outcome", outcome: { kind: "error" } })
    // Once it is the program's again, what was told before does not count.
    servers.pop()
    const again = linesOf(await post(gatePaths.submit, token, { ...submission("files", "again"), told }))
    expect(await again.next()).toMatchObject({ type: "tell" })
  })

  it("has no more servers here than it may", async () => {
    const { tokenFor, post, store, clock } = await open()
    const [prog, other] = [await tokenFor("prog"), await tokenFor("other")]
    const tell = async (token: string, server: string): Promise<number> =>
      (await post(gatePaths.tools, token, { server, tools: [accepted] })).status
    const told = await Promise.all(Array.from({ length: 202 }, (_, at) => tell(prog, `s${at}`)))
    expect(told.filter((status) => status === 409)).toHaveLength(2)
    expect((await post(gatePaths.instructions, prog, { server: "more", instructions: "do" })).status).toBe(409)
    expect([await tell(prog, "s0"), await tell(other, "more")]).toEqual([200, 200])
    expect(await store.documents("program-server", { limit: 500, now: clock.now })).toHaveLength(201)
  })

  it("cannot make another's submission leave, nor take its name over", async () => {
    const { tokenFor, post } = await open()
    const [one, other] = [await tokenFor("one"), await tokenFor("other")]
    const held = await post(gatePaths.submit, one, submission("mine", "same"))
    const taken = await post(gatePaths.submit, other, submission("theirs", "same"))
    expect((await post(gatePaths.leave("same"), one, "")).status).toBe(200)
    expect((await post(gatePaths.leave("same"), other, "")).status).toBe(200)
    expect(await held.text()).toContain('"ticket"')
    expect(await taken.text()).toContain('"ticket"')
    expect((await post(gatePaths.leave("same"), other, "")).status).toBe(404)
  })

  it("I1: is not settled for by another: a run is its own to end", async () => {
    const { tokenFor, post, store } = await open({ policy: policyOf([rule("allow", "mine")]) })
    const [one, other] = [await tokenFor("one"), await tokenFor("other")]
    const lines = linesOf(await post(gatePaths.submit, one, submission("mine")))
    const { type, run } = await lines.next()
    expect(type).toBe("run")
    const forged = await post(gatePaths.settle(String(run)), other, { kind: "succeeded", result: "forged" })
    expect([forged.status, (await store.records({ limit: 1 }))[0]?.type]).toEqual([404, "call.allowed"])
    const own = { kind: "failed", error: "as it really went" }
    expect((await post(gatePaths.settle(String(run)), one, own)).status).toBe(200)
    expect((await post(gatePaths.settle(String(run)), one, { kind: "succeeded", result: 2 })).status).toBe(404)
    await expect.poll(async () => (await store.records({ limit: 1 }))[0]?.type).toBe("run.failed")
  })

  it("I4: is judged by the tools it lists itself: what another says of a server of that name is refused", async () => {
    const { tokenFor, post, send } = await open({ policy: policyOf([rule("allow", "mine")]) })
    const [one, other] = [await tokenFor("one"), await tokenFor("other")]
    const tell = async (token: string, tools: readonly object[]): Promise<string> => {
      const answer = await post(gatePaths.tools, token, { server: "mine", tools })
      return ((await answer.json()) as { readonly instance: string }).instance
    }
    const gone = new AbortController()
    const submit = async (told: string): Promise<unknown> => {
      const body = JSON.stringify({ ...submission("mine"), told: [told] })
      const headers = { authorization: `Bearer ${one}`, host: "127.0.0.1:7337", "content-type": "application/json" }
      const answer = await send(gatePaths.submit, { method: "POST", headers, body, signal: gone.signal })
      return (await linesOf(answer).next()).type
    }
    const first = await submit(await tell(one, [accepted]))
    const told = await tell(one, [changed])
    const second = await submit(told)
    expect((await post(gatePaths.tools, other, { server: "mine", tools: [accepted] })).status).toBe(409)
    const third = await submit(told)
    const again = await tell(one, [changed])
    const last = await submit(again)
    gone.abort()
    expect([first, second, third, last]).toEqual(["run", "held", "held", "held"])
    expect(again).toBe(told)
  })

  it("I2: hears that something changed, and not for whom", async () => {
    const { tokenFor, send, engine } = await open()
    const headers = { authorization: `Bearer ${await tokenFor("wrap")}`, host: "127.0.0.1:7337" }
    const gone = new AbortController()
    const lines = linesOf(await send(gatePaths.events, { headers, signal: gone.signal }))
    const breadth = { kind: "tool", server: "files", tool: "write" } as const
    await engine.gate.addGrant({ effect: "deny", breadth }, { id: "ana", groups: [] })
    expect(await lines.next()).toMatchObject({ type: "grant.changed", subject: "" })
    gone.abort()
  })

  it("I2: hears of people who may decide, and of the end of sessions of its own by the names that it has for them", async () => {
    const { tokenFor, send, engine, person } = await open()
    const headers = { authorization: `Bearer ${await tokenFor("wrap")}`, host: "127.0.0.1:7337" }
    const gone = new AbortController()
    const lines = linesOf(await send(gatePaths.events, { headers, signal: gone.signal }))
    for (const principal of ["wrapped:copilot", "agent", "wrap:copilot"])
      await engine.gate.endSession({ principal, id: "s1", named: true })
    await person("ben")
    expect(await lines.next()).toMatchObject({ type: "session.ended", subject: '["copilot","s1"]' })
    expect(await lines.next()).toMatchObject({ type: "access.changed", subject: "" })
    gone.abort()
  })

  it("I2: that is gone before its call may run is not told to run, and nothing ran", async () => {
    const { engine, store } = await open({ policy: policyOf([rule("allow", "mine")]) })
    const doors = openGateRoutes({
      gate: engine.gate,
      identify: async () => null,
      newId: () => "run",
      time: Date.now,
      instance: "here",
      keepAliveMs: 1_000,
      maxBodyBytes: 1_000,
    })
    const said: object[] = []
    const answer = await followSubmission(doors, { token: "wrap", program: "" }, submission("mine"))
    if (!("follow" in answer)) throw new Error("not followed")
    const following = answer.follow({
      ...keepNothing,
      say: (line) => said.push(line),
      isGone: () => true,
      whenGone: (then) => {
        then()
        return () => {}
      },
    })
    await expect(following).resolves.toBeUndefined()
    expect(said.map((line) => (line as { type: string }).type)).not.toContain("run")
    expect(doors.runs.size).toBe(0)
    await expect.poll(async () => (await store.records({ limit: 1 }))[0]?.type).toMatch(/^run\./)
    expect((await store.records({ limit: 1 }))[0]?.type).toBe("run.failed")
  })

  it("I5: takes no run of another's over, and hears nothing of what became of it", async () => {
    const { engine, tokenFor, post } = await open()
    const [one, other] = [await tokenFor("one"), await tokenFor("other")]
    const lines = linesOf(await post(gatePaths.submit, one, submission("mine")))
    const { id, runDigest } = (await lines.next()).approval as { readonly id: string; readonly runDigest: string }
    await engine.gate.answer(yes({ id, runDigest }))
    const { run } = await lines.next()
    await post(gatePaths.settle(String(run)), one, { kind: "succeeded", result: "for one" })
    expect((await lines.next()).type).toBe("outcome")
    const resumed = async (token: string, session = "s"): Promise<unknown> => {
      const caller = { agent: "agent", session: { id: session, named: true } }
      const answer = await post(gatePaths.resume, token, { from: caller, approval: id })
      return (await linesOf(answer).next()).outcome
    }
    expect([await resumed(other), await resumed(one, "t")]).toEqual([null, null])
    expect(await resumed(one)).toMatchObject({ result: "for one" })
  })

  it("I3: that is revoked loses its streams, and what it holds is withdrawn", async () => {
    const { credentials, engine, tokenFor, post, send } = await open()
    const [token, other] = [await tokenFor("wrap"), await tokenFor("wrap2")]
    const held = linesOf(await post(gatePaths.submit, token, submission("mine")))
    const others = linesOf(await post(gatePaths.submit, other, submission("theirs")))
    const { id } = (await held.next()).approval as { readonly id: string }
    const { id: kept } = (await others.next()).approval as { readonly id: string }
    const headers = { authorization: `Bearer ${token}`, host: "127.0.0.1:7337" }
    const events = linesOf(await send(gatePaths.events, { headers }))
    await credentials.revokeToken("wrap", null)
    await expect(held.next()).rejects.toThrow("no further line")
    expect(await events.next()).toMatchObject({ type: "access.changed", subject: "" })
    await expect(events.next()).rejects.toThrow("no further line")
    await expect.poll(async () => (await engine.gate.approval(id))?.status).toBe("cancelled")
    expect((await engine.gate.approval(kept))?.status).toBe("pending")
    await credentials.revokeToken("wrap2", null)
  })

  it("I3: that is revoked while its request is read opens nothing", async () => {
    const { credentials, tokenFor, send, store } = await open()
    const token = await tokenFor("wrap")
    const reading = Promise.withResolvers<void>()
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        reading.resolve()
        await revoked.promise
        controller.enqueue(new TextEncoder().encode(JSON.stringify(submission("mine"))))
        controller.close()
      },
    })
    const revoked = Promise.withResolvers<void>()
    const answer = send(gatePaths.submit, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, host: "127.0.0.1:7337", "content-type": "application/json" },
      body,
      duplex: "half",
    } as RequestInit)
    await reading.promise
    await credentials.revokeToken("wrap", null)
    revoked.resolve()
    expect((await answer).status).toBe(401)
    expect(await store.countApprovals({})).toBe(0)
  })

  it("sends no more than the service takes: what is larger is not read to its end", async () => {
    const { tokenFor, send } = await open()
    const chunk = new Uint8Array(1024 * 1024).fill(32)
    let pulled = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1
        if (pulled > 64) controller.close()
        else controller.enqueue(chunk)
      },
    })
    const answer = await send(gatePaths.tools, {
      method: "POST",
      headers: { authorization: `Bearer ${await tokenFor("wrap")}`, host: "127.0.0.1:7337" },
      body,
      duplex: "half",
    } as RequestInit)
    expect(answer.status).toBe(413)
    expect(pulled).toBeLessThan(20)
  })
})
