// What docs/requirements.md promises of the engine and no other suite says: the gate as its users see it.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Call, levelOf, type Policy, risksOf } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { openKeys, openSqliteStore } from "@byleave/store/sqlite"
import { describe, expect, it } from "vitest"
import { ana, callOf, type Engine, holdCall, nay, openEngine, policyOf, rule, yes } from "./open-engine.ts"

const write = callOf("files(write_file)", { path: "a.md", content: "x" })
const writeFile = { kind: "tool", server: "files", tool: "write_file" } as const
const minutes = 60_000

/** Two servers that say which of their tools only read; one of them is believed. */
const trusting: Partial<Policy> = {
  servers: [
    { id: "files", trust: "annotations", pin: "full" },
    { id: "wild", trust: "none", pin: "full" },
  ],
}

async function seeFileTools(engine: Engine): Promise<void> {
  const tools = ["list_directory", "read_file", "write_file", "delete_file"].map((name) => ({
    name,
    annotations: { readOnlyHint: name.startsWith("read") || name.startsWith("list") },
  }))
  await engine.gate.seeTools("files", tools)
  await engine.gate.seeTools("wild", tools)
}

describe("what a reviewer is given", () => {
  it("R7: the call and all of its arguments are there before anyone decides", async () => {
    const engine = await openEngine()
    const args = { deep: { list: [1, [{ "": null }]], text: "x".repeat(100_000) }, last: true }
    const { approval } = await holdCall(engine, callOf("files(write_file)", args))
    const [listed] = await engine.store.approvals({ statuses: ["pending"], limit: 10 })
    expect(approval.args).toEqual(args)
    expect((await engine.store.approval(listed?.id ?? ""))?.args).toEqual(args)
    expect(engine.runs).toEqual([])
  })

  it("R11: a tool is known with its server: what one server's tool may do says nothing of another's", async () => {
    const engine = await openEngine(policyOf([rule("allow", "files(send)"), rule("deny", "wild(send)")]))
    expect((await engine.submit(callOf("files(send)"))).kind).toBe("result")
    expect((await engine.submit(callOf("wild(send)"))).kind).toBe("refusal")
    await holdCall(engine, callOf("(send)"))
  })

  it("R12, R15: it says which server, which agent and session, since when, and why a person is asked", async () => {
    const engine = await openEngine(policyOf([rule("ask", "files(delete_*)", { reason: "Deletions are for people." })]))
    const { approval } = await holdCall(engine, callOf("files(delete_file)", { path: "a.md" }))
    expect(approval).toMatchObject({
      tool: { server: "files", tool: "delete_file" },
      principal: { id: "agent" },
      session: { id: "s1" },
      createdAt: engine.clock.now,
      access: "write",
    })
    expect(approval.why).toContain("Deletions are for people.")
    const risks = risksOf({ tool: approval.tool, args: approval.args ?? {}, definition: null })
    expect(risks.map(({ kind }) => kind)).toEqual(["destructive-verb"])
  })
})

describe("rules", () => {
  it.each([
    { pattern: "k8s_*", name: "k8s_list", matches: true },
    { pattern: "k8s_*", name: "my_k8s_list", matches: false },
    { pattern: "*_delete*", name: "k8s_delete_pod", matches: true },
    { pattern: "get_?", name: "get_a", matches: true },
    { pattern: "get_?", name: "get_ab", matches: false },
    { pattern: "[a-c]*", name: "create", matches: true },
    { pattern: "[!a-c]*", name: "create", matches: false },
    { pattern: "Create", name: "create", matches: false },
  ])("R17, R18: $pattern and $name: $matches", async ({ pattern, name, matches }) => {
    const engine = await openEngine(policyOf([rule("allow", `files(${pattern})`)], { default: "deny" }))
    expect((await engine.submit(callOf(`files(${name})`))).kind).toBe(matches ? "result" : "refusal")
  })

  it("R25: how many of a server's tools will be asked about can be told as soon as it lists them", async () => {
    const engine = await openEngine(policyOf([rule("allow", "files(read_*)"), rule("hide", "files(delete_*)")]))
    await seeFileTools(engine)
    const names = ["list_directory", "read_file", "write_file", "delete_file"]
    const decisions = await Promise.all(
      names.map((name) => engine.gate.judge({ server: "files", kind: "tool", name }, undefined, write)),
    )
    expect(decisions.map(({ effect }) => effect)).toEqual(["ask", "allow", "ask", "hide"])
  })

  it("R36: one answer for a pattern settles the calls it lists and those to come, and nothing beyond it", async () => {
    const engine = await openEngine()
    const calls = ["list_a", "list_b", "write_a"].map((tool) => callOf(`files(${tool})`))
    const held = await Promise.all(calls.map((call) => holdCall(engine, call)))
    const [first, second, third] = held
    if (!first || !second || !third) throw new Error("three were held")
    const breadth = { kind: "pattern", server: "files", tool: "list_*" } as const
    const alsoSettles = [second, third].map(({ approval }) => ({ approval: approval.id, digest: approval.runDigest }))
    const answer = await engine.gate.answer({
      ...yes(first.approval),
      remember: { scope: "always", breadth, alsoSettles },
    })
    expect(answer).toMatchObject({ ok: true, also: [{ ok: true }, { refusal: { code: "breadth-mismatch" } }] })
    expect((await second.outcome).kind).toBe("result")
    expect((await engine.submit(callOf("files(list_c)"))).kind).toBe("result")
    expect((await engine.gate.approval(third.approval.id))?.status).toBe("pending")
  })

  it("R38: operations and paths have rules of their own", async () => {
    const under = { key: "path", op: "under", folder: "/ws" } as const
    const small = { key: "size", op: "atMost", value: 10 } as const
    const engine = await openEngine(policyOf([rule("allow", "files(write_file)", { when: [under, small] })]))
    expect((await engine.submit(callOf("files(write_file)", { path: "/ws/a", size: 10 }))).kind).toBe("result")
    await holdCall(engine, callOf("files(write_file)", { path: "/ws/../etc/passwd", size: 10 }))
    await holdCall(engine, callOf("files(write_file)", { path: "/ws/a", size: 11 }))
  })
})

describe("read, write and all", () => {
  const grantFor = async (engine: Engine, access: "read" | "write" | "all", server = "files") =>
    await engine.gate.addGrant({ effect: "allow", breadth: { kind: "server", server, access } }, ana)

  it("R40-R42: a grant for reads covers no write; the higher one must be given", async () => {
    const engine = await openEngine(policyOf([], trusting))
    await seeFileTools(engine)
    await grantFor(engine, "read")
    for (const tool of ["list_directory", "read_file"]) {
      expect((await engine.submit(callOf(`files(${tool})`))).kind).toBe("result")
    }
    for (const tool of ["write_file", "delete_file"]) {
      expect((await holdCall(engine, callOf(`files(${tool})`))).approval.access).toBe("write")
    }
    await grantFor(engine, "all")
    expect((await engine.submit(callOf("files(write_file)", { path: "later" }))).kind).toBe("result")
  })

  it("R63: a server that is not trusted cannot call its own tools harmless", async () => {
    const engine = await openEngine(policyOf([rule("allow", "*", { access: "read" })], trusting))
    await seeFileTools(engine)
    expect((await engine.submit(callOf("files(read_file)"))).kind).toBe("result")
    await holdCall(engine, callOf("wild(read_file)"))
  })
})

describe("once, for good, and taken back", () => {
  it("R44, R45: an answer to one call answers that call only", async () => {
    const engine = await openEngine()
    for (const verdict of [yes, nay]) {
      const { approval, outcome } = await holdCall(engine, write)
      await engine.gate.answer(verdict(approval))
      await outcome
    }
    await holdCall(engine, write)
    expect(engine.runs).toHaveLength(1)
    expect(await engine.gate.grants()).toEqual([])
  })

  it("R47, R48, R61, R62, R205: what was allowed or denied for good holds after a restart, in every session", async () => {
    const folder = mkdtempSync(join(tmpdir(), "byleave-restart-"))
    const { signer, digestKey } = openKeys(folder)
    const open = async () => {
      const store = await openSqliteStore({ path: join(folder, "byleave.db"), hasher: nodeHasher, signer })
      return openEngine(policyOf([]), { store, digestKey, clock: { now: Date.now() } })
    }
    const before = await open()
    const answers: ReadonlyArray<readonly [Call, typeof yes | typeof nay]> = [
      [callOf("files(read_file)"), yes],
      [callOf("files(move_file)"), nay],
    ]
    for (const [call, verdict] of answers) {
      const { approval, outcome } = await holdCall(before, call)
      const breadth = { kind: "tool", ...call.tool } as const
      await before.gate.answer({ ...verdict(approval), remember: { scope: "always", breadth, alsoSettles: [] } })
      await outcome
    }
    const waiting = await holdCall(before, write)
    await before.gate.close()
    expect((await waiting.outcome).kind).toBe("ticket")
    await before.store.close()

    const after = await open()
    const session = { principal: "agent", id: "s2", named: true }
    expect((await after.submit({ ...callOf("files(read_file)"), session })).kind).toBe("result")
    expect(await after.submit({ ...callOf("files(move_file)"), session })).toMatchObject({
      refusal: { code: "denied-by-grant" },
    })
    await after.gate.answer(yes(waiting.approval))
    expect(await after.submit(write)).toMatchObject({ kind: "result", approval: waiting.approval.id })
    await after.gate.close()
    await after.store.close()
    rmSync(folder, { recursive: true })
  })

  it("R55, R56: grants are seen and taken back server by server, or all of them", async () => {
    const engine = await openEngine()
    const servers = ["files", "mail", "web"]
    for (const server of servers) {
      await engine.gate.addGrant({ effect: "allow", breadth: { kind: "server", server, access: "all" } }, ana)
    }
    const levels = async () => {
      const grants = await engine.gate.grants()
      return servers.map((server) => levelOf(grants, { server, tool: null, now: engine.clock.now }))
    }
    const revoke = async (server?: string) => {
      const chosen = (await engine.gate.grants()).filter(({ breadth }) => (server ?? breadth.server) === breadth.server)
      for (const { id } of chosen) expect(await engine.gate.revokeGrant(id, ana)).toBe(true)
    }
    await revoke("mail")
    expect(await levels()).toEqual(["AllowAlways", "Ask", "AllowAlways"])
    await holdCall(engine, callOf("mail(send)"))
    expect((await engine.submit(callOf("web(get)"))).kind).toBe("result")
    await revoke()
    expect(await levels()).toEqual(["Ask", "Ask", "Ask"])
    await holdCall(engine, callOf("web(get)"))
  })

  it("R57, R151: a grant says what it covers, by whom, since when, until when, and when it last served", async () => {
    const engine = await openEngine()
    const until = engine.clock.now + 30 * minutes
    const createdAt = engine.clock.now
    await engine.gate.addGrant({ effect: "allow", breadth: writeFile, until, reason: "release day" }, ana)
    expect(await engine.gate.grants()).toMatchObject([{ lastUsedAt: null, timesUsed: 0 }])
    engine.clock.now += minutes
    await engine.submit(write)
    const lastUsedAt = createdAt + minutes
    expect(await engine.gate.grants()).toMatchObject([
      { breadth: writeFile, createdBy: "ana", createdAt, until, reason: "release day", lastUsedAt, timesUsed: 1 },
    ])
  })
})

describe("what is kept", () => {
  it("R60, R147: an answered call keeps who said what and when, and leads to what was remembered of it", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write)
    const remember = { scope: "session", breadth: writeFile, alsoSettles: [] } as const
    await engine.gate.answer({ ...yes(approval), reason: "looks right", remember })
    await outcome
    expect(await engine.gate.approval(approval.id)).toMatchObject({
      status: "succeeded",
      approvedBy: "ana",
      votes: [{ reviewer: "ana", kind: "approve", reason: "looks right", at: engine.clock.now }],
    })
    const [grant] = await engine.gate.grants()
    expect(grant).toMatchObject({ from: approval.id, breadth: writeFile })
    const [record] = await engine.store.records({ types: ["grant.created"], limit: 1 })
    expect(record?.text).toContain(approval.id)
  })

  it("R149: a call that ran unasked is recorded with time, agent, server, tool and the rule that let it", async () => {
    const engine = await openEngine(policyOf([rule("allow", "files")]))
    await engine.submit(write)
    await engine.gate.close()
    const [record] = await engine.store.records({ types: ["call.allowed"], limit: 10 })
    expect(record?.at).toBe(engine.clock.now)
    for (const word of ["agent", "files", "write_file", 'allow: \\"files\\"']) expect(record?.text).toContain(word)
    expect(await engine.store.records({ types: ["run.succeeded"], limit: 10 })).toMatchObject([
      { subject: record?.subject },
    ])
  })
})

describe("time and ends", () => {
  it("R156: whether and when a call expires is policy, and a rule may say otherwise", async () => {
    const engine = await openEngine(policyOf([rule("ask", "files(move)", { wait: null })], { wait: 5 * minutes }))
    const short = await holdCall(engine, write)
    const long = await holdCall(engine, callOf("files(move)"))
    engine.clock.now += 24 * 60 * minutes
    await engine.gate.expireDue()
    expect((await engine.gate.approval(short.approval.id))?.status).toBe("expired")
    expect((await engine.gate.approval(long.approval.id))?.status).toBe("pending")
  })

  it("R157: a session that ended leaves nothing half done: not a waiting call, nor an unused approval", async () => {
    const engine = await openEngine()
    const permit = await holdCall(engine, callOf("files(move)"), Promise.resolve())
    await permit.outcome
    await engine.gate.answer(yes(permit.approval))
    const waiting = await holdCall(engine, write)
    await engine.gate.setMode(write.session, "autonomous", { reviewer: ana })
    await engine.gate.endSession(write.session)
    expect(await waiting.outcome).toMatchObject({ refusal: { code: "cancelled" } })
    expect(await engine.store.approvals({ statuses: ["pending", "approved", "running"], limit: 10 })).toEqual([])
    expect(await engine.gate.answer(yes(waiting.approval))).toMatchObject({ ok: false })
    expect((await holdCall(engine, callOf("files(move)"))).approval.id).not.toBe(permit.approval.id)
    expect(engine.runs).toEqual([])
  })

  it("R159: after a sensitive call, what is allowed asks for a while", async () => {
    const after = [rule("deny", "*(delete_*)").target]
    const policy = policyOf([rule("allow", "files")])
    const engine = await openEngine({ ...policy, limits: { ...policy.limits, coolDown: { after, forMs: minutes } } })
    expect((await engine.submit(callOf("files(delete_file)"))).kind).toBe("result")
    await holdCall(engine, write)
    engine.clock.now += minutes
    expect((await engine.submit(callOf("files(write_file)", { path: "later" }))).kind).toBe("result")
  })
})
