/** The work before a call can be held is bounded, however many calls come at once. */
import { setImmediate as nextTurn } from "node:timers/promises"
import { createBodyBudget, createBodyTurns, createJudgingTurns, type Run } from "@byleave/core"
import { expect, it } from "vitest"
import { callOf, holdCall, memoryStore, openEngine, policyOf, rule, yes } from "./open-engine.ts"

it("of calls that cannot be held, since as many wait as may, no warnings are worked out", async () => {
  let looked = 0
  const limits = { ...policyOf([]).limits, waitingPerSession: 2 }
  const engine = await openEngine(
    { ...policyOf([]), limits },
    {
      riskContext: () => {
        looked += 1
        return {}
      },
    },
  )
  const calls = Array.from({ length: 10 }, (_, n) => callOf("files(write)", { n }))
  for (const call of calls.slice(0, 2)) {
    void engine.gate.submit(call, engine.run)
    await expect.poll(() => engine.store.countApprovals({ statuses: ["pending"] })).toBe(calls.indexOf(call) + 1)
  }
  const before = looked
  const refused = await Promise.all(calls.slice(2).map((call) => engine.gate.submit(call, engine.run)))
  expect(refused.map(({ kind }) => kind)).toEqual(refused.map(() => "refusal"))
  expect(looked).toBe(before)
  expect(before).toBeGreaterThan(0)
  await engine.gate.close()
})

/** Counts the pauses that calls rest for; the clock stands still meanwhile. */
function restingOn(clock: { readonly now: number }) {
  const counted = { pauses: 0, ms: 0 }
  const judging = createJudgingTurns({
    now: () => clock.now,
    pause: async (ms) => {
      await nextTurn()
      counted.pauses += 1
      counted.ms += ms
    },
  })
  return { judging, counted }
}

it("calls that are held at once are looked at one after the other where that takes long, with as long a rest in between", async () => {
  const clock = { now: 1_800_000_000_000 }
  const { judging, counted } = restingOn(clock)
  const seen: number[] = []
  const engine = await openEngine(policyOf([]), {
    ...{ clock, judging },
    riskContext: () => {
      clock.now += 40
      seen.push(counted.ms)
      return {}
    },
  })
  for (let n = 0; n < 3; n += 1) void engine.gate.submit(callOf("files(write)", { n }), engine.run)
  await expect.poll(() => engine.store.countApprovals({ statuses: ["pending"] })).toBe(3)
  expect(seen).toEqual([0, 40, 80])
  await engine.gate.close()
})

it("a call that nobody waits for any more when it is its turn is not judged, not held and not recorded", async () => {
  const clock = { now: 1_800_000_000_000 }
  const rest = Promise.withResolvers<void>()
  const judging = createJudgingTurns({ now: () => clock.now, pause: () => rest.promise })
  const looked: string[] = []
  const engine = await openEngine(policyOf([]), {
    ...{ clock, judging },
    onCall: ({ args }) => void looked.push(`came ${String(args.n)}`),
    onJudged: (effect) => void looked.push(effect),
    riskContext: () => {
      clock.now += 40
      return {}
    },
  })
  void engine.gate.submit(callOf("files(write)", { n: 1 }), engine.run)
  await expect.poll(() => engine.store.countApprovals({ statuses: ["pending"] })).toBe(1)
  const leaving = engine.gate.submit(callOf("files(write)", { n: 2 }), engine.run, { isWanted: () => false })
  rest.resolve()
  expect(await leaving).toMatchObject({ kind: "refusal", refusal: { code: "cancelled" }, approval: null })
  expect(looked).toEqual(["came 1", "ask", "came 2"])
  await engine.gate.close()
})

it("every agent of one program waits while its credential rests; what a reviewer looks at does not", async () => {
  const clock = { now: 1_800_000_000_000 }
  const { judging, counted } = restingOn(clock)
  const judged: string[] = []
  const when = [{ key: "path", op: "under", folder: "/ws" }]
  const engine = await openEngine(policyOf([rule("allow", "files(*)", { when })]), {
    ...{ clock, judging },
    realPaths: () => (path) => {
      if (path === "/ws") return [path]
      judged.push(`${path} ${counted.pauses}`)
      clock.now += 40
      return [path]
    },
  })
  const agent = (name: string) => ({
    principal: { id: `prog:${name}` },
    session: { principal: `prog:${name}`, id: name, named: true },
  })
  const read = { kind: "tool", server: "files", name: "read" } as const
  await engine.gate.judge(read, { path: "/ws/1" }, agent("a"))
  const run = { kind: "failed", error: "" } as const
  await Promise.all([
    engine.gate.judge(read, { path: "/ws/2" }, agent("b")),
    engine.gate.submit(callOf("files(read)", { path: "/ws/3" }, agent("c")), async () => run),
    engine.gate.mayStillRun(callOf("files(read)", {}, agent("d")), { path: "/ws/4" }, null),
    engine.gate.foresee(read, { path: "/ws/5" }, agent("e")),
  ])
  expect(judged).toEqual(["/ws/1 0", "/ws/5 0", "/ws/2 8", "/ws/3 16", "/ws/4 24"])
  await engine.gate.close()
})

it("whether a call that a person approved may still be sent is judged while its credential rests, and counts as its own", async () => {
  const clock = { now: 1_800_000_000_000 }
  const { judging, counted } = restingOn(clock)
  const looks: number[] = []
  const when = [{ key: "path", op: "under", folder: "/ws" }]
  const engine = await openEngine(policyOf([rule("deny", "files(*)", { when })]), {
    ...{ clock, judging },
    realPaths: () => (path) => {
      if (path === "/ws") return [path]
      looks.push(counted.pauses)
      clock.now += 40
      return ["/elsewhere"]
    },
  })
  const call = callOf("files(write)", { path: "/1" })
  const said: boolean[] = []
  const held = Promise.withResolvers<Parameters<typeof yes>[0]>()
  const run: Run = async (args, { approval }) => {
    looks.length = 0
    counted.pauses = 0
    const ask = (isNow: boolean) => engine.gate.mayStillRun(call, args, approval, { isNow })
    said.push(...(await Promise.all([ask(false), ask(true), ask(true)])))
    return { kind: "failed", error: "" }
  }
  const outcome = engine.gate.submit(call, run, { onHeld: held.resolve })
  await engine.gate.answer(yes(await held.promise))
  await outcome
  expect(said).toEqual([true, true, true])
  expect(looks).toEqual([0, 0, expect.any(Number)])
  expect(looks[2]).toBeGreaterThanOrEqual(8)
  await engine.gate.close()
})

it("calls of one agent that take long to judge are judged one after the other, with others' turns in between; another agent's at once", async () => {
  const clock = { now: 1_800_000_000_000 }
  const judged: string[] = []
  const { judging, counted } = restingOn(clock)
  const when = [{ key: "path", op: "under", folder: "/ws" }]
  const engine = await openEngine(policyOf([rule("allow", "files(*)", { when })]), {
    ...{ clock, judging },
    realPaths: () => (path) => {
      if (path.startsWith("/ws/")) judged.push(`${path} ${counted.pauses}`)
      if (path.startsWith("/ws/slow")) clock.now += 10
      return [path]
    },
  })
  const bob = { principal: { id: "bob" }, session: { principal: "bob", id: "b", named: true } }
  await Promise.all([
    ...[1, 2, 3].map((n) => engine.submit(callOf("files(read)", { path: `/ws/slow${n}` }))),
    engine.submit(callOf("files(read)", { path: "/ws/bobs" }, bob)),
  ])
  expect(judged).toEqual(["/ws/slow1 0", "/ws/bobs 0", "/ws/slow2 8", "/ws/slow3 16"])
  await engine.gate.close()
})

it("bodies of one sender that are large together take turns, and so does each of a crowd", async () => {
  const bodies = createBodyBudget(
    undefined,
    createBodyTurns(async () => void (await nextTurn())),
  )
  const shares = Array.from({ length: 4 }, () => bodies.share("agent"))
  const waits = shares.map((share) => {
    share.grow(129_000)
    return share.turn() !== null
  })
  expect(waits).toEqual([false, false, true, true])
  const small = bodies.share("another")
  small.grow(100)
  expect(small.turn()).toBeNull()
  expect(small.turn(true)).not.toBeNull()
  for (const share of [...shares, small]) share.release()
  expect(bodies.used()).toBe(0)
})

it("a call that is repeated reads none of the identical ones that have a caller, and as a whole only the one it comes back to", async () => {
  const clock = { now: 1_800_000_000_000 }
  const inner = memoryStore(clock)
  const whole: string[] = []
  let found: readonly object[] = []
  const engine = await openEngine(policyOf([]), {
    clock,
    store: {
      ...inner,
      approval: async (id) => {
        whole.push(id)
        return inner.approval(id)
      },
      identical: async (key, since) => {
        const identical = await inner.identical(key, since)
        found = identical
        return identical
      },
    },
  })
  const same = callOf("files(write)", { text: "x".repeat(10_000) })
  for (let n = 0; n < 4; n += 1) await holdCall(engine, same)
  const leaves = Promise.withResolvers<void>()
  const last = await holdCall(engine, same, leaves.promise)
  await nextTurn()
  whole.length = 0
  const sixth = await holdCall(engine, same)
  expect(found).toHaveLength(5)
  expect(JSON.stringify(found)).not.toContain("x".repeat(1_000))
  expect(whole).toEqual([sixth.approval.id])
  leaves.resolve()
  await last.outcome
  whole.length = 0
  expect((await holdCall(engine, same)).approval.id).toBe(last.approval.id)
  expect(new Set(whole)).toEqual(new Set([last.approval.id]))
  await engine.gate.close()
})

it("identical calls are looked for in the turn of their credential, and for nobody who has left", async () => {
  const clock = { now: 1_800_000_000_000 }
  const rest = Promise.withResolvers<void>()
  const judging = createJudgingTurns({ now: () => clock.now, pause: () => rest.promise })
  const inner = memoryStore(clock)
  let looks = 0
  const store = {
    ...inner,
    identical: async (...asked: Parameters<typeof inner.identical>) => {
      looks += 1
      return inner.identical(...asked)
    },
  }
  const when = [{ key: "path", op: "under", folder: "/ws" }]
  const engine = await openEngine(policyOf([rule("allow", "files(*)", { when })]), {
    ...{ clock, judging, store },
    // Judging takes long: whoever has been judged rests before anything is looked up.
    realPaths: () => (path) => {
      clock.now += 40
      return path.startsWith("/ws/") ? ["/elsewhere"] : [path]
    },
  })
  let isThere = true
  const leaving = engine.gate.submit(callOf("files(write)", { path: "/ws/a" }), engine.run, { isWanted: () => isThere })
  await expect.poll(() => judging.isBusy("agent")).toBe(true)
  isThere = false
  rest.resolve()
  expect(await leaving).toMatchObject({ kind: "refusal", refusal: { code: "cancelled" } })
  expect(looks).toBe(0)
  await engine.gate.close()
})
