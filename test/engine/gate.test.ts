import { programPin, type Run, StoreError, verifyAudit } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { newMemoryDatabase } from "@byleave/store"
import { describe, expect, it } from "vitest"
import { ana, ben, callOf, holdCall, memoryStore, nay, openEngine, policyOf, rule, signer, yes } from "./open-engine.ts"

const write = callOf("files(write_file)", { path: "/ws/a", content: "x" })
const minutes = 60_000

describe("deciding", () => {
  it.each([
    {
      name: "R9, R10: an allowed call runs at once",
      rules: [rule("allow", "files(write_*)")],
      kind: "result",
      runs: 1,
    },
    { name: "R95: a denied one does not run", rules: [rule("deny", "files(write_*)")], kind: "refusal", runs: 0 },
    { name: "R20: a hidden one does not run", rules: [rule("hide", "files")], kind: "refusal", runs: 0 },
  ])("$name", async ({ rules, kind, runs }) => {
    const engine = await openEngine(policyOf(rules))
    expect((await engine.submit(write)).kind).toBe(kind)
    expect(engine.runs).toHaveLength(runs)
  })

  it("R1, R3, R94: what nobody allowed waits, and runs with exactly the arguments shown once a person approves", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write)
    expect(engine.runs).toEqual([])
    expect(approval).toMatchObject({ status: "pending", args: write.args })
    expect(await engine.gate.answer(yes(approval))).toMatchObject({ ok: true })
    expect(await outcome).toMatchObject({ kind: "result", result: { ran: 1 } })
    expect(engine.runs).toEqual([write.args])
    expect(await engine.gate.approval(approval.id)).toMatchObject({ status: "succeeded", delivered: true })
  })

  it("R95, R96: a denial comes back as a readable refusal with its reason, and nothing runs", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write)
    await engine.gate.answer(nay(approval, ana, "wrong folder"))
    expect(await outcome).toMatchObject({ kind: "refusal", refusal: { by: "reviewer", code: "denied-by-reviewer" } })
    expect(JSON.stringify(await outcome)).toContain("wrong folder")
    expect(engine.runs).toEqual([])
  })

  it("R97, R98, R195: of several waiting calls each has its own answer", async () => {
    const engine = await openEngine()
    const held = await Promise.all(
      ["a", "b", "c"].map((path) => holdCall(engine, callOf("files(write_file)", { path }))),
    )
    const answers = await Promise.all(
      held.map(({ approval }, at) => engine.gate.answer(at === 1 ? nay(approval) : yes(approval))),
    )
    expect(answers.map((answer) => answer.ok)).toEqual([true, true, true])
    expect((await Promise.all(held.map(({ outcome }) => outcome))).map(({ kind }) => kind)).toEqual([
      "result",
      "refusal",
      "result",
    ])
    expect(engine.runs).toHaveLength(2)
  })

  it("R99: a tool that fails gives its error to the caller", async () => {
    const engine = await openEngine(policyOf([rule("allow", "*")]))
    const outcome = await engine.gate.submit(write, async () => ({ kind: "failed", error: "disk full" }))
    expect(outcome).toMatchObject({ kind: "error", error: "disk full" })
  })

  it("a run whose result throws when it is looked at is unknown, and its record says so", async () => {
    const result = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("looked at")
        },
      },
    )
    const run: Run = async () => ({ kind: "succeeded", result })
    const allowing = await openEngine(policyOf([rule("allow", "*")]))
    expect(await allowing.gate.submit(write, run)).toMatchObject({ kind: "unknown", detail: "looked at" })
    const asking = await openEngine()
    const { approval, outcome } = await holdCall({ gate: asking.gate, run }, write)
    await asking.gate.answer(yes(approval))
    expect(await outcome).toMatchObject({ kind: "unknown", detail: "looked at" })
    for (const { store } of [allowing, asking]) {
      await expect.poll(() => store.records({ types: ["run.unknown"], limit: 10 })).toHaveLength(1)
    }
  })

  it("a run that throws is unknown, and is not tried again", async () => {
    const engine = await openEngine()
    let runs = 0
    const { approval, outcome } = await holdCall(
      {
        gate: engine.gate,
        run: async () => {
          runs += 1
          throw new Error("cut off")
        },
      },
      write,
    )
    await engine.gate.answer(yes(approval))
    expect(await outcome).toMatchObject({ kind: "unknown", detail: "cut off" })
    expect(await engine.gate.expireDue()).toBe(0)
    expect(runs).toBe(1)
  })
})

describe("binding", () => {
  it("a verdict for other arguments than were shown is refused", async () => {
    const engine = await openEngine()
    const { approval } = await holdCall(engine, write)
    const answer = await engine.gate.answer({ ...yes(approval), digest: "0".repeat(64) })
    expect(answer).toMatchObject({ ok: false, refusal: { code: "digest-mismatch" } })
    expect(engine.runs).toEqual([])
  })

  it("the same verdict twice is fine; a contradicting one gets a conflict and changes nothing", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write)
    await engine.gate.answer(yes(approval))
    await outcome
    expect(await engine.gate.answer(yes(approval))).toMatchObject({ ok: true })
    expect(await engine.gate.answer(nay(approval, ben))).toMatchObject({ ok: false })
    expect(engine.runs).toHaveLength(1)
  })

  it("C16: edited arguments run instead, both versions are kept, and the caller is told", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write)
    const args = { path: "/ws/b", content: "x" }
    await engine.gate.answer({ ...yes(approval), args })
    expect(await outcome).toMatchObject({ kind: "result", notes: ["edited"] })
    expect(engine.runs).toEqual([args])
    expect(await engine.gate.approval(approval.id)).toMatchObject({ args: write.args, editedArgs: args })
  })

  it("edited arguments pass policy and schema again", async () => {
    const engine = await openEngine(
      policyOf([rule("deny", "files(write_file)", { when: [{ key: "path", op: "glob", pattern: "/etc/*" }] })]),
    )
    const inputSchema = { type: "object", properties: { path: { type: "string" }, content: { type: "string" } } }
    await engine.gate.seeTools("files", [{ name: "write_file", inputSchema }])
    const { approval } = await holdCall(engine, write)
    const forbidden = await engine.gate.answer({ ...yes(approval), args: { path: "/etc/passwd" } })
    expect(forbidden).toMatchObject({ ok: false, refusal: { code: "forbidden-by-policy" } })
    const invalid = await engine.gate.answer({ ...yes(approval), args: { path: 7 } })
    expect(invalid).toMatchObject({ ok: false, refusal: { code: "invalid-arguments" } })
    expect((await engine.gate.approval(approval.id))?.status).toBe("pending")
  })

  it("dispatch I2: arguments that are not the approved ones do not run, whoever put them in the store", async () => {
    const clock = { now: 1_800_000_000_000 }
    const honest = memoryStore(clock)
    let args = write.args
    const store = {
      ...honest,
      approval: async (id: string) => {
        const approval = await honest.approval(id)
        return approval === undefined ? undefined : { ...approval, args }
      },
    }
    const engine = await openEngine(policyOf([]), { clock, store })
    const { approval, outcome } = await holdCall(engine, write)
    args = { path: "/etc/passwd", content: "x" }
    await engine.gate.answer(yes(approval))
    expect(await outcome).toMatchObject({ refusal: { code: "store-unavailable" } })
    expect(engine.runs).toEqual([])
  })

  it("9007199254740993 reaches the tool as it was written", async () => {
    const { readJson } = await import("@byleave/core")
    const read = readJson('{"id":9007199254740993}')
    if (!read.ok) throw new Error("unreadable")
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, callOf("bank(pay)", read.value as typeof write.args))
    await engine.gate.answer(yes(approval))
    await outcome
    expect(JSON.stringify(engine.runs)).toBe('[{"id":9007199254740993}]')
  })
})

describe("definitions", () => {
  const before = { name: "write_file", description: "Writes a file" }
  const after = { name: "write_file", description: "Writes a file, and mails it" }

  it("a changed tool does not run on an old rule, and asks until its definition is accepted", async () => {
    const engine = await openEngine(policyOf([rule("allow", "files")]))
    await engine.gate.seeTools("files", [before])
    expect((await engine.submit(write)).kind).toBe("result")
    await engine.gate.seeTools("files", [after])
    const { approval, outcome } = await holdCall(engine, write)
    const [pin] = (await engine.store.decisionState()).pins
    expect(await engine.gate.acceptDefinition(write.tool, "another", ana)).toBe(false)
    expect(await engine.gate.acceptDefinition(write.tool, pin?.proposed?.fingerprint ?? "", ana)).toBe(true)
    expect((await engine.submit(callOf("files(write_file)", { path: "other" }))).kind).toBe("result")
    await engine.gate.answer(nay(approval))
    await outcome
  })

  it("a call that waits when its tool changes is superseded", async () => {
    const engine = await openEngine()
    await engine.gate.seeTools("files", [before])
    const { outcome } = await holdCall(engine, write)
    await engine.gate.seeTools("files", [after])
    expect(await outcome).toMatchObject({ kind: "refusal", refusal: { code: "superseded" } })
    expect(engine.runs).toEqual([])
  })

  it("a tool that appears after its server was pinned asks", async () => {
    const engine = await openEngine(policyOf([rule("allow", "files")]))
    await engine.gate.seeTools("files", [before])
    await engine.gate.seeTools("files", [before, { name: "wipe" }])
    const { approval } = await holdCall(engine, callOf("files(wipe)"))
    expect(approval.remember).toBe("never")
  })

  it("another program that a reviewer rejects or puts in quarantine runs nothing, though its tools are as accepted", async () => {
    const engine = await openEngine(policyOf([rule("allow", "files")]))
    const program = { server: "files", tool: programPin }
    await engine.gate.seeTools("files", [{ name: programPin, program: "one" }, before])
    await engine.gate.seeTools("files", [{ name: programPin, program: "another" }, before])
    const { outcome } = await holdCall(engine, write)
    const pins = (await engine.store.decisionState()).pins
    const proposed = pins.find(({ tool }) => tool === programPin)?.proposed?.fingerprint ?? ""
    expect(await engine.gate.rejectDefinition(program, proposed, ana)).toBe(true)
    expect(await outcome).toMatchObject({ refusal: { code: "definition-rejected" } })
    expect(await engine.submit(write)).toMatchObject({ refusal: { code: "definition-rejected" } })
    expect(await engine.gate.quarantine(program, ana)).toBe(true)
    expect(await engine.submit(write)).toMatchObject({ refusal: { code: "hidden" } })
    expect(await engine.gate.liftQuarantine(program, ana)).toBe(true)
    await engine.gate.seeTools("files", [{ name: programPin, program: "one" }, before])
    expect((await engine.submit(write)).kind).toBe("result")
    expect(engine.runs).toHaveLength(1)
  })
})

describe("time", () => {
  it("R152-R154, C1: what nobody answers expires, and its caller is told so", async () => {
    const engine = await openEngine(policyOf([], { wait: 5 * minutes }))
    const { approval, outcome } = await holdCall(engine, write)
    engine.clock.now += 5 * minutes - 1
    expect(await engine.gate.expireDue()).toBe(0)
    engine.clock.now += 1
    expect(await engine.gate.expireDue()).toBe(1)
    expect(await outcome).toMatchObject({ kind: "refusal", refusal: { by: "timeout", code: "expired" } })
    expect(await engine.gate.answer(yes(approval))).toMatchObject({ ok: false })
  })

  it("a verdict at the very millisecond of expiry is too late", async () => {
    const engine = await openEngine(policyOf([], { wait: minutes }))
    const { approval } = await holdCall(engine, write)
    engine.clock.now += minutes
    expect(await engine.gate.answer(yes(approval))).toMatchObject({ ok: false, refusal: { code: "past-expiry" } })
    expect(engine.runs).toEqual([])
  })

  it("R155: with no limit it waits for weeks", async () => {
    const engine = await openEngine(policyOf([], { wait: null }))
    const { approval, outcome } = await holdCall(engine, write)
    engine.clock.now += 60 * 24 * 60 * minutes
    expect(await engine.gate.expireDue()).toBe(0)
    await engine.gate.answer(yes(approval))
    expect((await outcome).kind).toBe("result")
  })

  it("a reviewer extends it", async () => {
    const engine = await openEngine(policyOf([], { wait: minutes }))
    const { approval } = await holdCall(engine, write)
    await engine.gate.extend(approval.id, ana, engine.clock.now + 60 * minutes)
    engine.clock.now += 30 * minutes
    expect(await engine.gate.expireDue()).toBe(0)
  })

  it("a clock that steps back brings nothing back to life", async () => {
    const engine = await openEngine(policyOf([], { wait: minutes }))
    const { approval } = await holdCall(engine, write)
    engine.clock.now += 2 * minutes
    const { approval: later } = await holdCall(engine, callOf("files(write_file)", { path: "later" }))
    engine.clock.now -= 10 * minutes
    expect(await engine.gate.answer(yes(approval))).toMatchObject({ ok: false, refusal: { code: "past-expiry" } })
    expect(later.status).toBe("pending")
  })
})

describe("callers that leave", () => {
  it("gets a ticket; the approval becomes a permit that one identical call consumes", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write, Promise.resolve())
    expect(await outcome).toMatchObject({ kind: "ticket", approval: approval.id })
    await engine.gate.answer(yes(approval))
    expect(engine.runs).toEqual([])
    expect(await engine.submit(write)).toMatchObject({ kind: "result", approval: approval.id })
    const again = await holdCall(engine, write)
    expect(again.approval.id).not.toBe(approval.id)
    expect(engine.runs).toHaveLength(1)
  })

  it("a repeat whose caller has left by then leaves the permit as it was, for the next one", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write, Promise.resolve())
    await outcome
    await engine.gate.answer(yes(approval))
    const left = await engine.gate.submit(write, engine.run, { isWanted: () => false })
    expect(left).toMatchObject({ kind: "ticket", approval: approval.id })
    expect(await engine.gate.approval(approval.id)).toMatchObject({ status: "approved", caller: null })
    expect(engine.runs).toEqual([])
    expect(await engine.submit(write)).toMatchObject({ kind: "result", approval: approval.id })
  })

  it("a repeat is told of its permit before it runs, and can cancel it", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write, Promise.resolve())
    await outcome
    await engine.gate.answer(yes(approval))
    const told: string[] = []
    let cancelling: Promise<unknown> | undefined
    await engine.gate.submit(write, engine.run, {
      isWanted: () => cancelling === undefined,
      onHeld: ({ id, status }) => {
        told.push(id, status)
        cancelling = engine.gate.cancel(id, "agent")
      },
    })
    await cancelling
    expect(told).toEqual([approval.id, "approved"])
    expect((await engine.gate.approval(approval.id))?.status).toBe("cancelled")
    expect(engine.runs).toEqual([])
  })

  it("a permit that nobody has used is revoked: the call asks again, and the record says who did it", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write, Promise.resolve())
    await outcome
    await engine.gate.answer(yes(approval))
    expect(await engine.gate.revoke(approval.id, ana)).toMatchObject({ ok: true, approval: { status: "cancelled" } })
    const records = await engine.store.records({ types: ["approval.cancelled"], limit: 10 })
    const reason = `${ana.id} revoked the approval before it was used.`
    expect(records.map(({ text }) => JSON.parse(text).body)).toMatchObject([{ by: ana.id, reason }])
    expect((await holdCall(engine, write)).approval.id).not.toBe(approval.id)
    expect(engine.runs).toEqual([])
  })

  it("an approval whose caller waits is not revoked", async () => {
    const engine = await openEngine()
    const { approval } = await holdCall(engine, write)
    expect(await engine.gate.revoke(approval.id, ana)).toMatchObject({ refusal: { code: "not-approved" } })
  })

  it("a permit does not serve other arguments, another session or another principal", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write, Promise.resolve())
    await outcome
    await engine.gate.answer(yes(approval))
    const others = [
      callOf("files(write_file)", { path: "/ws/a", content: "y" }),
      { ...write, session: { principal: "agent", id: "s2", named: true } },
      { ...write, principal: { id: "other" }, session: { principal: "other", id: "s1", named: true } },
    ]
    for (const other of others) expect((await holdCall(engine, other)).approval.id).not.toBe(approval.id)
    expect(engine.runs).toEqual([])
  })

  it("a permit waits for its session to come back, then ten minutes, and eight hours at the most", async () => {
    const engine = await openEngine(policyOf([rule("allow", "files(read)")]))
    const { approval, outcome } = await holdCall(engine, write, Promise.resolve())
    await outcome
    await engine.gate.answer(yes(approval))
    const expiry = async () => {
      const now = await engine.gate.approval(approval.id)
      return now?.status === "approved" ? (now.expiresAt ?? 0) - engine.clock.now : now?.status
    }
    expect(await expiry()).toBe(8 * 60 * minutes)
    engine.clock.now += 60 * minutes
    await engine.submit(callOf("files(read)"))
    await expect.poll(expiry).toBe(10 * minutes)
    engine.clock.now += 10 * minutes
    await engine.gate.expireDue()
    expect(await expiry()).toBe("expired")
    expect((await holdCall(engine, write)).approval.id).not.toBe(approval.id)
  })

  it("an identical call while one is attached is a call of its own", async () => {
    const engine = await openEngine()
    const first = await holdCall(engine, write)
    const second = await holdCall(engine, write)
    expect(second.approval.id).not.toBe(first.approval.id)
  })

  it("a repeat comes back to the waiting call", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write, Promise.resolve())
    await outcome
    const repeated = engine.submit(write)
    await engine.gate.answer(yes(approval))
    expect(await repeated).toMatchObject({ kind: "result", approval: approval.id })
    expect(engine.runs).toHaveLength(1)
  })

  it("attaching by id serves only the same call of the same principal", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write, Promise.resolve())
    await outcome
    const foreign = { ...write, principal: { id: "other" }, session: { principal: "other", id: "s1", named: true } }
    expect(await engine.gate.attach(approval.id, foreign, engine.run)).toBeNull()
    expect(await engine.gate.attach("no-such-id", write, engine.run)).toBeNull()
    await engine.gate.answer(yes(approval))
    expect(await engine.gate.attach(approval.id, write, engine.run)).toMatchObject({ kind: "result" })
  })

  it("a held call whose process died is picked up by the next identical call", async () => {
    const database = newMemoryDatabase()
    const clock = { now: 1_800_000_000_000 }
    const deaf = { ...memoryStore(clock, database), subscribe: () => () => {} }
    const dead = await openEngine(policyOf([]), { clock, store: deaf })
    const { approval } = await holdCall(dead, write)
    const alive = await openEngine(policyOf([]), { clock, store: memoryStore(clock, database) })
    clock.now += 31_000
    await alive.gate.renewLeases()
    const outcome = alive.submit(write)
    await alive.gate.answer(yes(approval))
    expect(await outcome).toMatchObject({ kind: "result", approval: approval.id })
    expect([...dead.runs, ...alive.runs]).toHaveLength(1)
  })
})

describe("several gates on one store", () => {
  /** A gate whose store tells it nothing of what others commit, beside one that may commit it. */
  async function deafEngine() {
    const database = newMemoryDatabase()
    const clock = { now: 1_800_000_000_000 }
    const here = await openEngine(policyOf([]), { clock, store: memoryStore(clock, database) })
    const store = { ...memoryStore(clock, database), subscribe: () => () => {} }
    return { here, deaf: await openEngine(policyOf([]), { clock, store }) }
  }
  const everything = { kind: "server", server: "files", access: "all" } as const

  it("submit I2: a call judged by a grant that is gone by now is judged again", async () => {
    const { here, deaf } = await deafEngine()
    const grant = await here.gate.addGrant({ effect: "allow", breadth: everything }, ana)
    expect((await deaf.submit(callOf("files(read)"))).kind).toBe("result")
    if ("id" in grant) await here.gate.revokeGrant(grant.id, ana)
    await holdCall(deaf, write)
    expect(deaf.runs).toHaveLength(1)
  })

  it("dispatch I1: an approved call does not start at a gate that has not heard of a newer denial", async () => {
    const { here, deaf } = await deafEngine()
    const { approval, outcome } = await holdCall(deaf, write, Promise.resolve())
    expect((await outcome).kind).toBe("ticket")
    await here.gate.answer(yes(approval))
    await here.gate.addGrant({ effect: "deny", breadth: everything }, ana)
    expect(await deaf.submit(write)).toMatchObject({ kind: "refusal" })
    expect(deaf.runs).toEqual([])
  })
})

describe("reviewers", () => {
  it("two different reviewers must approve where a rule says so", async () => {
    const engine = await openEngine(policyOf([rule("ask", "files", { approvals: 2 })]))
    const { approval, outcome } = await holdCall(engine, write)
    await engine.gate.answer(yes(approval, ana))
    await engine.gate.answer(yes(approval, ana))
    expect((await engine.gate.approval(approval.id))?.status).toBe("pending")
    await engine.gate.answer(yes(approval, ben))
    expect((await outcome).kind).toBe("result")
  })

  it("a token's owner does not approve its calls unless policy says so", async () => {
    const owned = { ...write, principal: { id: "agent", owner: "ana" } }
    const engine = await openEngine()
    const { approval } = await holdCall(engine, owned)
    expect(await engine.gate.answer(yes(approval, ana))).toMatchObject({ refusal: { code: "self-approval" } })
    const lax = await openEngine(policyOf([], { selfApproval: true }))
    const other = await holdCall(lax, owned)
    expect(await lax.gate.answer(yes(other.approval, ana))).toMatchObject({ ok: true })
  })
})

describe("remembering", () => {
  const tool = { kind: "tool", server: "files", tool: "write_file" } as const
  const other = callOf("files(write_file)", { path: "/ws/z" })

  it("R46, R52: for this session, and no other", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write)
    const answer = await engine.gate.answer({
      ...yes(approval),
      remember: { scope: "session", breadth: tool, alsoSettles: [] },
    })
    expect(answer).toMatchObject({ ok: true, grant: { effect: "allow", createdBy: "ana" } })
    await outcome
    expect((await engine.submit(other)).kind).toBe("result")
    await holdCall(engine, { ...other, session: { principal: "agent", id: "s2", named: true } })
    await holdCall(engine, { ...other, principal: { id: "b" }, session: { principal: "b", id: "s1", named: true } })
    expect(engine.runs).toHaveLength(2)
  })

  it("R54: ending the session forgets it and cancels what waits there", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write)
    await engine.gate.answer({ ...yes(approval), remember: { scope: "session", breadth: tool, alsoSettles: [] } })
    await outcome
    const waiting = await holdCall(engine, callOf("files(move)"))
    await engine.gate.endSession(write.session)
    expect(await waiting.outcome).toMatchObject({ refusal: { code: "cancelled" } })
    await holdCall(engine, other)
  })

  it("ending a session that meant nothing has no other call judged anew; one with a permission or a mode does", async () => {
    const engine = await openEngine()
    const epoch = async () => (await engine.store.decisionState()).epoch
    const before = await epoch()
    for (const id of ["s7", "s8", "s7"]) await engine.gate.endSession({ principal: "agent", id, named: true })
    expect(await epoch()).toBe(before)
    expect((await engine.store.session({ principal: "agent", id: "s7" }))?.endedAt).toBe(engine.clock.now)
    const { approval, outcome } = await holdCall(engine, write)
    await engine.gate.answer({ ...yes(approval), remember: { scope: "session", breadth: tool, alsoSettles: [] } })
    await outcome
    const granted = await epoch()
    await engine.gate.endSession(write.session)
    expect(await epoch()).toBeGreaterThan(granted)
    await engine.gate.setMode(write.session, "autonomous", { reviewer: ana })
    const autonomous = await epoch()
    await engine.gate.endSession(write.session)
    expect(await epoch()).toBeGreaterThan(autonomous)
  })

  it("R48, C7: deny and remember refuses from then on without asking", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write)
    await engine.gate.answer({ ...nay(approval), remember: { scope: "always", breadth: tool, alsoSettles: [] } })
    await outcome
    expect(await engine.submit(other)).toMatchObject({ refusal: { code: "denied-by-grant" } })
  })

  it("R59: five uses are five", async () => {
    const engine = await openEngine()
    await engine.gate.addGrant({ effect: "allow", breadth: tool, uses: 5 }, ana)
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, n) => engine.submit(callOf("files(write_file)", { n }))),
    )
    expect(outcomes.every(({ kind }) => kind === "result")).toBe(true)
    await holdCall(engine, other)
    expect(engine.runs).toHaveLength(5)
  })

  it("R58: a grant that expired a millisecond ago does not serve", async () => {
    const engine = await openEngine()
    await engine.gate.addGrant({ effect: "allow", breadth: tool, until: engine.clock.now + 1000 }, ana)
    engine.clock.now += 999
    expect((await engine.submit(write)).kind).toBe("result")
    engine.clock.now += 1
    await holdCall(engine, other)
  })

  it("of the waiting calls it settles only those the verdict lists, as they were seen", async () => {
    const engine = await openEngine()
    const calls = await Promise.all(
      ["a", "b", "c", "d"].map((path) => holdCall(engine, callOf("files(write_file)", { path }))),
    )
    const [first, second, third, fourth] = calls.map(({ approval }) => approval)
    if (!first || !second || !third || !fourth) throw new Error("four were held")
    const answer = await engine.gate.answer({
      ...yes(first),
      remember: {
        scope: "always",
        breadth: tool,
        alsoSettles: [
          { approval: second.id, digest: second.runDigest },
          { approval: third.id, digest: "stale" },
        ],
      },
    })
    expect(answer).toMatchObject({
      ok: true,
      also: [{ ok: true }, { ok: false, refusal: { code: "digest-mismatch" } }],
    })
    expect((await engine.gate.approval(third.id))?.status).toBe("pending")
    expect((await engine.gate.approval(fourth.id))?.status).toBe("pending")
  })

  it("what is asked every time cannot be remembered", async () => {
    const engine = await openEngine(policyOf([rule("ask", "files", { remember: "never" })]))
    const { approval } = await holdCall(engine, write)
    const answer = await engine.gate.answer({
      ...yes(approval),
      remember: { scope: "always", breadth: tool, alsoSettles: [] },
    })
    expect(answer).toMatchObject({ ok: false, refusal: { code: "never-remember" } })
    expect((await engine.gate.approval(approval.id))?.status).toBe("pending")
  })

  it("R51: no grant beats a deny", async () => {
    const engine = await openEngine(policyOf([rule("deny", "files(write_*)")]))
    await engine.gate.addGrant({ effect: "allow", breadth: tool }, ana)
    expect((await engine.submit(write)).kind).toBe("refusal")
  })
})

describe("modes and limits", () => {
  it("R66: autonomous runs what is asked by default, and ends by itself after an hour", async () => {
    const engine = await openEngine(policyOf([rule("ask", "files(delete)")]))
    await engine.gate.setMode(write.session, "autonomous", { reviewer: ana })
    expect((await engine.submit(write)).kind).toBe("result")
    await holdCall(engine, callOf("files(delete)"))
    engine.clock.now += 60 * minutes
    await holdCall(engine, callOf("files(write_file)", { path: "later" }))
  })

  it("R16: unattended refuses at once what would be asked, but honours what a person approved before", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write, Promise.resolve())
    await outcome
    await engine.gate.answer(yes(approval))
    await engine.gate.setMode(write.session, "unattended", { reviewer: ana })
    expect((await engine.submit(write)).kind).toBe("result")
    expect(await engine.submit(write)).toMatchObject({ refusal: { code: "unattended" } })
  })

  it("policy may forbid a mode", async () => {
    const engine = await openEngine(policyOf([], { forbiddenModes: ["autonomous"] }))
    expect(await engine.gate.setMode(write.session, "autonomous", { reviewer: ana })).toMatchObject({ ok: false })
  })

  it("R158: beyond the session's budget a person is asked again, also after a restart", async () => {
    const database = newMemoryDatabase()
    const clock = { now: 1_800_000_000_000 }
    const policy = policyOf([rule("allow", "files")])
    const limited = { ...policy, limits: { ...policy.limits, autoAllowedPerSession: 3 } }
    const first = await openEngine(limited, { clock, store: memoryStore(clock, database) })
    for (const n of [1, 2]) expect((await first.submit(callOf("files(x)", { n }))).kind).toBe("result")
    const second = await openEngine(limited, { clock, store: memoryStore(clock, database) })
    expect((await second.submit(write)).kind).toBe("result")
    await holdCall(second, write)
  })

  it("a burst of one moment does not slip under a limit", async () => {
    const policy = policyOf([rule("allow", "files")])
    const engine = await openEngine({ ...policy, limits: { ...policy.limits, autoAllowedPerMinute: 10 } })
    for (let n = 0; n < 25; n++) void engine.submit(callOf("files(x)", { n }))
    await holdCall(engine, callOf("files(x)", { n: 25 }))
    expect(engine.runs).toHaveLength(10)
  })

  it("R160: more writes at once than the bulk guard allows ask again", async () => {
    const policy = policyOf([rule("allow", "files")])
    const engine = await openEngine({ ...policy, limits: { ...policy.limits, bulk: { writes: 2, withinMs: minutes } } })
    for (const n of [1, 2]) expect((await engine.submit(callOf("files(x)", { n }))).kind).toBe("result")
    await holdCall(engine, write)
  })

  it("at most 50 calls of a session wait, in a burst as well", async () => {
    const engine = await openEngine()
    const outcomes: string[] = []
    for (let n = 0; n < 60; n++) void engine.submit(callOf("files(x)", { n })).then(({ kind }) => outcomes.push(kind))
    await expect.poll(() => outcomes.length).toBe(10)
    expect(outcomes.every((kind) => kind === "refusal")).toBe(true)
  })

  it("three denials refuse a tool in that session until a person lifts it", async () => {
    const engine = await openEngine()
    for (const n of [1, 2, 3]) {
      const { approval, outcome } = await holdCall(engine, callOf("files(x)", { n }))
      await engine.gate.answer(nay(approval))
      await outcome
    }
    expect(await engine.submit(callOf("files(x)", { n: 4 }))).toMatchObject({ refusal: { code: "denied-too-often" } })
    await holdCall(engine, callOf("files(y)"))
    engine.clock.now += 1
    await engine.gate.liftRefusals(write.session, { server: "files", tool: "x" }, ana)
    await holdCall(engine, callOf("files(x)", { n: 5 }))
  })
})

describe("policy that changes", () => {
  it("a newer deny rule settles what waits, and what was approved and not started", async () => {
    const engine = await openEngine()
    const waiting = await holdCall(engine, write)
    const permit = await holdCall(engine, callOf("files(move)"), Promise.resolve())
    await permit.outcome
    await engine.gate.answer(yes(permit.approval))
    await engine.gate.replacePolicy(policyOf([rule("deny", "files")], { version: "stricter" }), null)
    expect(await waiting.outcome).toMatchObject({ refusal: { by: "policy" } })
    expect((await engine.gate.approval(permit.approval.id))?.status).toBe("denied")
    expect(engine.runs).toEqual([])
  })
})

describe("the record", () => {
  it("R145-R149: everything that happened verifies as one story", async () => {
    const engine = await openEngine(policyOf([rule("allow", "files(read)"), rule("deny", "files(wipe)")]))
    await engine.submit(callOf("files(read)"))
    await engine.submit(callOf("files(wipe)"))
    const held = await holdCall(engine, write)
    await engine.gate.answer({
      ...yes(held.approval),
      remember: { scope: "always", breadth: { kind: "tool", server: "files", tool: "write_file" }, alsoSettles: [] },
    })
    await held.outcome
    await engine.gate.close()
    const report = await verifyAudit(engine.store, { hasher: nodeHasher, signer })
    expect(report).toMatchObject({ ok: true, problems: [] })
    const types = (await engine.store.records({ limit: 100 })).map(({ type }) => type).reverse()
    expect(types).toEqual([
      "chain.opened",
      "call.allowed",
      "run.succeeded",
      "call.denied",
      "call.asked",
      "approval.approved",
      "grant.created",
      "run.started",
      "run.succeeded",
    ])
  })

  it("the arguments' text is in no chained record, and no digest of them can be guessed", async () => {
    const engine = await openEngine(policyOf([rule("allow", "*")]))
    await engine.submit(callOf("files(read)", { path: "needle" }))
    await engine.gate.close()
    const texts = (await engine.store.records({ limit: 100 })).map(({ text }) => text).join()
    expect(texts).not.toContain("needle")
    expect(texts).not.toContain(nodeHasher.sha256('{"path":"needle"}'))
  })

  it("submit I1: the record of the decision is in the store when the run begins", async () => {
    const engine = await openEngine(policyOf([rule("allow", "*")]))
    const recorded: string[] = []
    await engine.gate.submit(write, async () => {
      recorded.push(...(await engine.store.records({ limit: 9 })).map(({ type }) => type))
      return { kind: "succeeded", result: null }
    })
    expect(recorded).toContain("call.allowed")
  })

  it("submit I3: a call is refused when only writing fails", async () => {
    const clock = { now: 1_800_000_000_000 }
    const store = memoryStore(clock)
    let isFull = false
    const commit: typeof store.commit = async (change) => {
      if (isFull) throw new StoreError("full", "The disk is full.")
      return store.commit(change)
    }
    const engine = await openEngine(policyOf([rule("allow", "*")]), { clock, store: { ...store, commit } })
    isFull = true
    expect(await engine.submit(write)).toMatchObject({ refusal: { code: "store-unavailable" } })
    expect(engine.runs).toEqual([])
  })

  it("a call is refused when it cannot be recorded", async () => {
    const engine = await openEngine(policyOf([rule("allow", "*")]))
    await engine.store.close()
    expect(await engine.submit(write)).toMatchObject({ refusal: { code: "store-unavailable" } })
    expect(engine.runs).toEqual([])
  })
})

describe("cancelling", () => {
  it("R196: the caller withdraws a waiting call", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write)
    expect(await engine.gate.cancel(approval.id, "someone-else")).toMatchObject({ refusal: { code: "not-found" } })
    await engine.gate.cancel(approval.id, "agent")
    expect(await outcome).toMatchObject({ refusal: { code: "cancelled" } })
    expect(await engine.gate.answer(yes(approval))).toMatchObject({ ok: false })
  })

  it("while it runs, the cancel is forwarded and the outcome still settles the record", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(
      {
        gate: engine.gate,
        run: async (_args, { cancelled }) => {
          await engine.gate.cancel(approval.id, "agent")
          await cancelled
          return { kind: "succeeded", result: "done anyway" }
        },
      },
      write,
    )
    await engine.gate.answer(yes(approval))
    expect(await outcome).toMatchObject({ kind: "result", result: "done anyway" })
    expect((await engine.gate.approval(approval.id))?.status).toBe("succeeded")
  })

  it.each(["stopSession", "endRevokedSessions"] as const)(
    "%s asks what runs to stop, which may still wait for its turn at a server",
    async (end) => {
      const engine = await openEngine()
      const { approval, outcome } = await holdCall(
        {
          gate: engine.gate,
          run: async (_args, { cancelled }) => {
            if (end === "stopSession") await engine.gate.stopSession(write.session)
            else await engine.gate.endRevokedSessions((principal) => principal === "agent", engine.clock.now + 1)
            await cancelled
            return { kind: "failed", error: "not sent" }
          },
        },
        write,
      )
      await engine.gate.answer(yes(approval))
      expect(await outcome).toMatchObject({ kind: "error", error: "not sent" })
    },
  )

  it("closing gives everyone who waits a ticket, and the calls stay", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write)
    await engine.gate.close()
    expect(await engine.store.approval(approval.id)).toMatchObject({ status: "pending", caller: null })
    await engine.store.close()
    expect(await outcome).toMatchObject({ kind: "ticket" })
  })
})
