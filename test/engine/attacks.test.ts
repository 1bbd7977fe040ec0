import { CallError, type Gate, type Store } from "@byleave/core"
import { newMemoryDatabase } from "@byleave/store"
import { describe, expect, it } from "vitest"
import { ana, ben, callOf, holdCall, memoryStore, nay, openEngine, policyOf, rule, yes } from "./open-engine.ts"

const write = callOf("files(write_file)", { path: "/ws/a", content: "x" })
const tool = { kind: "tool", server: "files", tool: "write_file" } as const
const minutes = 60_000

describe("who may approve", () => {
  const large = rule("ask", "bank(pay)", {
    approvals: 2,
    reviewers: ["finance"],
    when: [{ key: "amount", op: "atLeast", value: 1000 }],
  })

  it("an edit cannot get past reviewers that the new arguments need", async () => {
    const engine = await openEngine(policyOf([large]))
    const { approval } = await holdCall(engine, callOf("bank(pay)", { amount: 5 }))
    const edited = await engine.gate.answer({ ...yes(approval), args: { amount: 5000 } })
    expect(edited).toMatchObject({ ok: false, refusal: { code: "not-in-group" } })
    const fay = { id: "fay", groups: ["finance"] }
    await engine.gate.answer({ ...yes(approval, fay), args: { amount: 5000 } })
    expect(await engine.gate.approval(approval.id)).toMatchObject({ status: "pending", needs: { approvals: 2 } })
    expect(engine.runs).toEqual([])
  })

  it("running anew needs as many as before, in an unattended session too", async () => {
    const engine = await openEngine(policyOf([large]))
    const fay = { id: "fay", groups: ["finance"] }
    const gus = { id: "gus", groups: ["finance"] }
    const failing = { gate: engine.gate, run: async () => ({ kind: "failed", error: "no" }) as const }
    const { approval, outcome } = await holdCall(failing, callOf("bank(pay)", { amount: 5000 }))
    await engine.gate.answer(yes(approval, fay))
    await engine.gate.answer(yes(approval, gus))
    await outcome
    await engine.gate.setMode(write.session, "unattended", { reviewer: ana })
    const anew = await engine.gate.rerun(approval.id, approval.runDigest, ana)
    expect(anew).toMatchObject({ ok: false, refusal: { code: "not-in-group" } })
    expect(await engine.store.approvals({ statuses: ["pending"], limit: 10 })).toEqual([])
  })

  describe("once policy demands more of those who answer", () => {
    const fay = { id: "fay", groups: ["finance"] }
    const gus = { id: "gus", groups: ["finance"] }
    const plain = policyOf([rule("ask", "bank(pay)")])
    const strict = policyOf([rule("ask", "bank(pay)", { approvals: 2, reviewers: ["finance"], remember: "never" })])
    const pay = callOf("bank(pay)", { amount: 5 })

    it("a call that waits already is approved as the policy demands now", async () => {
      const engine = await openEngine(plain)
      const { approval, outcome } = await holdCall(engine, pay)
      await engine.gate.replacePolicy(strict, null)
      expect(await engine.gate.answer(yes(approval))).toMatchObject({ ok: false, refusal: { code: "not-in-group" } })
      await engine.gate.answer(yes(approval, fay))
      expect(await engine.gate.approval(approval.id)).toMatchObject({ status: "pending", needs: { approvals: 2 } })
      expect(engine.runs).toEqual([])
      await engine.gate.answer(yes(approval, gus))
      expect(await outcome).toMatchObject({ kind: "result" })
      expect(engine.runs).toHaveLength(1)
    })

    it("a call that waits already is answered for good by nobody", async () => {
      const engine = await openEngine(plain)
      const { approval } = await holdCall(engine, pay)
      await engine.gate.replacePolicy(policyOf([rule("ask", "bank(pay)", { remember: "never" })]), null)
      const breadth = { kind: "tool", server: "bank", tool: "pay" } as const
      const answered = await engine.gate.answer({ ...yes(approval), remember: { scope: "always", breadth } })
      expect(answered).toMatchObject({ ok: false, refusal: { code: "never-remember" } })
      expect(await engine.gate.approval(approval.id)).toMatchObject({ status: "pending" })
    })

    it("the owner of a token approves no call of it that waits already", async () => {
      const engine = await openEngine({ ...plain, selfApproval: true })
      const { approval } = await holdCall(engine, { ...pay, principal: { ...pay.principal, owner: ana.id } })
      await engine.gate.replacePolicy({ ...plain, selfApproval: false }, null)
      expect(await engine.gate.answer(yes(approval))).toMatchObject({ ok: false, refusal: { code: "self-approval" } })
    })

    it.each([
      { name: "more people", policy: policyOf([rule("ask", "bank(pay)", { approvals: 2 })]), runs: 0 },
      { name: "another group", policy: policyOf([rule("ask", "bank(pay)", { reviewers: ["finance"] })]), runs: 0 },
      { name: "its own group", policy: policyOf([rule("ask", "bank(pay)", { reviewers: ["ops"] })]), runs: 1 },
      { name: "nobody", policy: policyOf([rule("allow", "bank(pay)")]), runs: 1 },
    ])("an approved call that has not run asks $name, and runs $runs times", async ({ policy, runs }) => {
      const engine = await openEngine(plain)
      const { approval, outcome } = await holdCall(engine, pay, Promise.resolve())
      await outcome
      await engine.gate.answer(yes(approval))
      await engine.gate.replacePolicy(policy, null)
      const permit = await engine.gate.runNow(
        { approval: approval.id, digest: approval.runDigest, reviewer: ana },
        engine.run,
      )
      if (permit.ok) await permit.ended
      expect(permit.ok).toBe(runs === 1)
      expect(engine.runs).toHaveLength(runs)
    })
  })

  it.each([
    { name: "a scope nobody knows", verdict: { remember: { scope: "forever", breadth: tool } } },
    { name: "a kind nobody knows", verdict: { kind: "aprove" } },
    { name: "an end that is no time", verdict: { remember: { scope: "always", breadth: tool, until: Number.NaN } } },
    { name: "no reviewer", verdict: { reviewer: { id: "", groups: [] } } },
  ])("a verdict with $name is refused and changes nothing", async ({ verdict }) => {
    const engine = await openEngine()
    const { approval } = await holdCall(engine, write)
    const answer = await engine.gate.answer({ ...yes(approval), ...verdict } as unknown as Parameters<
      Gate["answer"]
    >[0])
    expect(answer).toMatchObject({ ok: false, refusal: { code: "invalid-verdict" } })
    expect((await engine.gate.approval(approval.id))?.votes).toEqual([])
    expect(await engine.gate.grants()).toEqual([])
  })

  it("one verdict with arguments that are no JSON is refused, and leaves other calls alone", async () => {
    const engine = await openEngine()
    const first = await holdCall(engine, write)
    const second = await holdCall(engine, callOf("files(move)"))
    const wrong = { ...yes(first.approval), args: { n: Number.NaN } }
    expect(await engine.gate.answer(wrong)).toMatchObject({ ok: false, refusal: { code: "invalid-arguments" } })
    expect(await engine.gate.answer(yes(second.approval))).toMatchObject({ ok: true })
  })
})

describe("rules that change under a call", () => {
  it("nothing submitted after a denial was put in force runs, however busy the store", async () => {
    const engine = await openEngine(policyOf([rule("allow", "files")]))
    const outcomes = Array.from({ length: 50 }, (_, n) => engine.submit(callOf("files(x)", { n })))
    const replaced = engine.gate.replacePolicy(policyOf([rule("deny", "files")], { version: "strict" }), null)
    const late = Array.from({ length: 50 }, (_, n) => engine.submit(callOf("files(x)", { late: n })))
    await replaced
    await Promise.all(outcomes)
    expect((await Promise.all(late)).every(({ kind }) => kind === "refusal")).toBe(true)
    expect(engine.runs.filter((args) => "late" in args)).toEqual([])
  })

  it("whoever judges anew when told of a change judges by the new rules", async () => {
    const engine = await openEngine(policyOf([rule("allow", "files")]))
    const target = { server: "files", kind: "tool", name: "x" } as const
    const judged: Array<Promise<{ readonly effect: string }>> = []
    const stop = engine.gate.events(() => judged.push(engine.gate.judge(target, {}, write)))
    await engine.gate.replacePolicy(policyOf([rule("deny", "files")], { version: "strict" }), null)
    expect((await Promise.all(judged)).map(({ effect }) => effect)).toEqual(["deny"])
    stop()
  })

  it("a policy that cannot be recorded is not put in force", async () => {
    const inner = memoryStore({ now: 1 })
    const store: Store = {
      ...inner,
      commit: (change) => (change.movesEpoch ? Promise.reject(new Error("no")) : inner.commit(change)),
    }
    const engine = await openEngine(policyOf([rule("deny", "files")]), { store })
    await expect(engine.gate.replacePolicy(policyOf([rule("allow", "files")]), null)).rejects.toThrow("no")
    expect((await engine.submit(write)).kind).toBe("refusal")
  })

  it("two reviewers who change one session at once do not undo each other", async () => {
    const engine = await openEngine()
    await engine.gate.setMode(write.session, "autonomous", { reviewer: ana })
    await Promise.all([
      engine.gate.setMode(write.session, "ask", { reviewer: ana }),
      engine.gate.liftRefusals(write.session, { server: "s", tool: "t" }, ben),
    ])
    expect(await engine.store.session(write.session)).toMatchObject({ mode: "ask", lifted: [{}] })
    await holdCall(engine, write)
  })

  it.each([
    { mode: "yolo", until: undefined },
    { mode: "autonomous", until: 1 },
    { mode: "autonomous", until: Number.NaN },
    { mode: "autonomous", until: Number.POSITIVE_INFINITY },
  ])("the mode $mode until $until is refused", async ({ mode, until }) => {
    const engine = await openEngine()
    const options = { reviewer: ana, ...(until === undefined ? {} : { until }) }
    const answer = await engine.gate.setMode(write.session, mode as "ask", options)
    expect(answer).toMatchObject({ ok: false, code: "invalid-mode" })
    await holdCall(engine, write)
  })

  it("nothing of a session outlives its end, however closely it was begun", async () => {
    for (let n = 0; n < 20; n++) {
      const engine = await openEngine()
      const grant = engine.gate.addGrant({ effect: "allow", breadth: tool, session: write.session }, ana)
      const held = engine.submit(callOf("files(move)"))
      for (let turn = 0; turn < n; turn++) await Promise.resolve()
      await engine.gate.endSession(write.session)
      const ended = (await engine.store.records({ types: ["session.ended"], limit: 1 }))[0]?.seq ?? 0
      const asked =
        (await engine.store.records({ types: ["call.asked"], limit: 1 }))[0]?.seq ?? Number.POSITIVE_INFINITY
      if (asked < ended) expect(await held).toMatchObject({ refusal: { code: "cancelled" } })
      const made = await grant
      const created = (await engine.store.records({ types: ["grant.created"], limit: 1 }))[0]?.seq ?? 0
      if (created < ended)
        expect((await engine.gate.grants()).map(({ id }) => id)).not.toContain("id" in made && made.id)
    }
  })
})

describe("identity", () => {
  it("a call in another principal's session is refused as a defect, and runs nothing", async () => {
    const engine = await openEngine()
    await engine.gate.addGrant({ effect: "allow", breadth: tool, session: write.session }, ana)
    await expect(engine.submit({ ...write, principal: { id: "mallory" } })).rejects.toThrow(CallError)
    expect(engine.runs).toEqual([])
  })

  it.each(["wipe\ud800", "\udc00"])("a name with half a character (%j) is refused", async (name) => {
    const engine = await openEngine(policyOf([rule("allow", "files")]))
    await expect(engine.submit({ ...write, tool: { server: "files", tool: name } })).rejects.toThrow(CallError)
    await expect(engine.submit({ ...write, session: { principal: "agent", id: name, named: true } })).rejects.toThrow(
      CallError,
    )
  })

  it("names that read alike as server(tool) are different tools", async () => {
    const engine = await openEngine()
    const one = { ...write, tool: { server: "a", tool: "b(c" } }
    const other = { ...write, tool: { server: "a(b", tool: "c" } }
    const { approval, outcome } = await holdCall(engine, one, Promise.resolve())
    await outcome
    await engine.gate.answer(yes(approval))
    expect(await engine.gate.attach(approval.id, other, engine.run)).toBeNull()
    expect((await holdCall(engine, other)).approval.id).not.toBe(approval.id)
  })

  it("an identical call does not take the place of one that is just being held", async () => {
    for (let turns = 0; turns < 25; turns++) {
      const engine = await openEngine()
      const ids: string[] = []
      const note = { onHeld: ({ id }: { id: string }) => void ids.push(id) }
      const first = engine.gate.submit(write, engine.run, note)
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      const second = engine.gate.submit(write, engine.run, note)
      await expect.poll(() => ids.length).toBe(2)
      expect(new Set(ids).size).toBe(2)
      for (const id of ids) {
        const approval = await engine.gate.approval(id)
        if (approval !== undefined) await engine.gate.answer(yes(approval))
      }
      await Promise.all([first, second])
      expect(engine.runs).toHaveLength(2)
    }
  })
})

describe("definitions", () => {
  it("a change seen at one gate counts at another that still lists the old definition", async () => {
    const database = newMemoryDatabase()
    const clock = { now: 1_800_000_000_000 }
    const policy = policyOf([rule("allow", "files")])
    const here = await openEngine(policy, { clock, store: memoryStore(clock, database) })
    const there = await openEngine(policy, { clock, store: memoryStore(clock, database) })
    await here.gate.seeTools("files", [{ name: "write_file", description: "Writes." }])
    await there.gate.seeTools("files", [{ name: "write_file", description: "Writes." }])
    expect((await there.submit(write)).kind).toBe("result")
    await here.gate.seeTools("files", [{ name: "write_file", description: "Writes, and mails." }])
    await holdCall(there, write)
    expect(there.runs).toHaveLength(1)
  })

  it("a definition that cannot be fingerprinted is nobody's to allow, and the others are pinned", async () => {
    const engine = await openEngine(policyOf([rule("allow", "files")]))
    const broken = { name: "broken", annotations: undefined } as unknown as { name: string }
    await engine.gate.seeTools("files", [broken, { name: "write_file" }])
    expect((await engine.submit(write)).kind).toBe("result")
    await holdCall(engine, callOf("files(broken)"))
  })

  it("tools that could not be recorded are not taken for accepted", async () => {
    const inner = memoryStore({ now: 1 })
    let fails = true
    const store: Store = {
      ...inner,
      commit: (change) => (fails && change.pins ? Promise.reject(new Error("no")) : inner.commit(change)),
    }
    const engine = await openEngine(policyOf([rule("allow", "files", { access: "read" })]), { store })
    await expect(engine.gate.seeTools("files", [{ name: "write_file" }])).rejects.toThrow("no")
    fails = false
    await holdCall(engine, write)
  })
})

describe("limits", () => {
  it("a burst after a restart does not exceed the session's budget", async () => {
    const database = newMemoryDatabase()
    const clock = { now: 1_800_000_000_000 }
    const policy = policyOf([rule("allow", "files")])
    const limited = { ...policy, limits: { ...policy.limits, autoAllowedPerSession: 10 } }
    const first = await openEngine(limited, { clock, store: memoryStore(clock, database) })
    for (let n = 0; n < 9; n++) await first.submit(callOf("files(x)", { n }))
    const second = await openEngine(limited, { clock, store: memoryStore(clock, database) })
    for (let n = 0; n < 9; n++) void second.submit(callOf("files(x)", { later: n }))
    await expect.poll(() => second.store.countApprovals({ statuses: ["pending"] })).toBe(8)
    expect(second.runs).toHaveLength(1)
  })

  it("calls that already waited when somebody said no count with that denial, not as asked again", async () => {
    const engine = await openEngine()
    const deny = async (held: ReadonlyArray<Awaited<ReturnType<typeof holdCall>>>) => {
      for (const { approval } of held) {
        engine.clock.now += 10
        await engine.gate.answer(nay(approval))
      }
    }
    await deny(await Promise.all([1, 2, 3, 4, 5].map((n) => holdCall(engine, callOf("files(x)", { n })))))
    for (const n of [6, 7]) {
      engine.clock.now += 10
      await deny([await holdCall(engine, callOf("files(x)", { n }))])
    }
    expect(await engine.submit(callOf("files(x)", { n: 8 }))).toMatchObject({ refusal: { code: "denied-too-often" } })
  })

  it("a tool denied too often stays refused until a person lifts it, however long that takes", async () => {
    const engine = await openEngine(
      policyOf([rule("allow", "files(x)", { when: [{ key: "n", op: "equals", value: 9 }] })]),
    )
    for (const n of [1, 2, 3]) {
      const { approval, outcome } = await holdCall(engine, callOf("files(x)", { n }))
      await engine.gate.answer(nay(approval))
      await outcome
    }
    engine.clock.now += 24 * 60 * minutes
    for (const n of [4, 9]) {
      expect(await engine.submit(callOf("files(x)", { n }))).toMatchObject({ refusal: { code: "denied-too-often" } })
    }
    await engine.gate.liftRefusals(write.session, { server: "files", tool: "x" }, ana)
    expect((await engine.submit(callOf("files(x)", { n: 9 }))).kind).toBe("result")
    await holdCall(engine, callOf("files(x)", { n: 4 }))
  })

  it("denials by a newer rule are not held against a tool", async () => {
    const engine = await openEngine()
    const held = await Promise.all([1, 2, 3].map((n) => holdCall(engine, callOf("files(x)", { n }))))
    await engine.gate.replacePolicy(policyOf([rule("deny", "files")], { version: "strict" }), null)
    await Promise.all(held.map(({ outcome }) => outcome))
    await engine.gate.replacePolicy(policyOf([]), null)
    await holdCall(engine, callOf("files(x)", { n: 4 }))
  })

  it("only calls that run count for the limits", async () => {
    const policy = policyOf([])
    const engine = await openEngine({ ...policy, limits: { ...policy.limits, autoAllowedPerMinute: 20 } })
    await engine.gate.addGrant({ effect: "allow", breadth: tool, uses: 1 }, ana)
    for (let n = 0; n < 20; n++) void engine.submit(callOf("files(write_file)", { n }))
    await expect.poll(() => engine.store.countApprovals({ statuses: ["pending"] })).toBe(19)
    expect(engine.runs).toHaveLength(1)
    await engine.gate.addGrant({ effect: "allow", breadth: { ...tool, tool: "other" } }, ana)
    expect((await engine.submit(callOf("files(other)"))).kind).toBe("result")
  })

  it("a denying grant has its uses counted too", async () => {
    const engine = await openEngine()
    await engine.gate.addGrant({ effect: "deny", breadth: tool }, ana)
    await engine.submit(write)
    await engine.gate.close()
    expect(await engine.gate.grants()).toMatchObject([{ timesUsed: 1 }])
  })
})

describe("runs and their ends", () => {
  const wrong = [
    "hello",
    undefined,
    { kind: "ok" },
    { kind: "succeeded" },
    { kind: "succeeded", result: 3n },
    { kind: "succeeded", result: { deep: [undefined] } },
  ]

  it.each(wrong)("a run that ends with %o is unknown, is recorded, and does not keep the gate open", async (ended) => {
    const engine = await openEngine(policyOf([rule("allow", "files(read)")]))
    const run = (async () => ended) as unknown as typeof engine.run
    expect(await engine.gate.submit(callOf("files(read)"), run)).toMatchObject({ kind: "unknown" })
    const { approval, outcome } = await holdCall({ gate: engine.gate, run }, write)
    await engine.gate.answer(yes(approval))
    expect(await outcome).toMatchObject({ kind: "unknown" })
    await engine.gate.close()
    expect(await engine.store.records({ types: ["run.unknown"], limit: 10 })).toHaveLength(2)
  })

  it("close waits for a call that is about to run", async () => {
    for (let turns = 0; turns < 30; turns++) {
      const engine = await openEngine(policyOf([rule("allow", "files")]))
      let isClosed = false
      const submitted = engine.gate.submit(write, async () => {
        expect(isClosed).toBe(false)
        return { kind: "succeeded", result: 1 }
      })
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      await engine.gate.close()
      isClosed = true
      await submitted
    }
  })

  it("a caller that leaves while its call runs gets the outcome when it comes back, once", async () => {
    const engine = await openEngine()
    let leave: () => void = () => {}
    let finish: () => void = () => {}
    const until = new Promise<void>((resolve) => {
      leave = resolve
    })
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    let runs = 0
    const run = async () => {
      runs += 1
      leave()
      await finished
      return { kind: "succeeded", result: "done" } as const
    }
    const { approval, outcome } = await holdCall({ gate: engine.gate, run }, write, until)
    await engine.gate.answer(yes(approval))
    expect(await outcome).toMatchObject({ kind: "ticket" })
    finish()
    await expect.poll(async () => (await engine.gate.approval(approval.id))?.status).toBe("succeeded")
    const late = await engine.gate.submit(write, run)
    expect(late).toMatchObject({ kind: "result", result: "done", notes: ["delivered-late"] })
    expect(runs).toBe(1)
    await holdCall(engine, write)
  })

  it("a repeat that comes back to a waiting call is told that it is held", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write, Promise.resolve())
    await outcome
    const again = await holdCall(engine, write)
    expect(again.approval.id).toBe(approval.id)
    await engine.gate.answer(yes(approval))
    expect((await again.outcome).kind).toBe("result")
  })

  it("an `until` that rejects is one that is over", async () => {
    const engine = await openEngine()
    const { outcome } = await holdCall(engine, write, Promise.reject(new Error("gone")))
    expect((await outcome).kind).toBe("ticket")
  })

  it("leaves no listener on the store", async () => {
    let listening = 0
    const inner = memoryStore({ now: 1 })
    const subscribe: Store["subscribe"] = (listener) => {
      listening += 1
      const stop = inner.subscribe(listener)
      return () => {
        listening -= 1
        stop()
      }
    }
    const engine = await openEngine(policyOf([]), { store: { ...inner, subscribe } })
    expect(listening).toBeGreaterThan(0)
    await engine.gate.close()
    expect(listening).toBe(0)
  })
})
