import {
  type CommitResult,
  type HeldLimits,
  type PausedRun,
  type RunStarter,
  runPrincipals,
  type Store,
  summaryOf,
} from "@byleave/core"
import { expect, it } from "vitest"
import type { WithStore } from "./contract-kit.ts"
import {
  agentRun,
  approved,
  begin,
  commitAll,
  denied,
  hold,
  ids,
  move,
  moveRun,
  pausedRun,
  pending,
  runningAgain,
  start,
} from "./samples.ts"

/** Waiting calls: listed without arguments, and within limits that all processes of the store share. */
export function heldContract(withStore: WithStore): void {
  const of = (principal: string, session: string) => ({
    principal: { id: principal },
    session: { principal, id: session, named: true },
  })
  const sized = (bytes: number) => ({ checked: { bytes, risks: [] } })
  const add = (store: Store, id: string, over: Parameters<typeof pending>[1], within: HeldLimits) =>
    store.commit({ ...hold(pending(id, over)), within })

  it(
    "lists summaries, however large the arguments and results are",
    withStore(async ({ store, reopen }) => {
      const large = pending("large", { args: { path: "/a", content: "x".repeat(1_000_000) } })
      await commitAll(store, hold(large))
      const again = await reopen()
      const [listed] = await again.approvals({ limit: 5 })
      expect(listed).toEqual(summaryOf(large))
      expect(listed).toMatchObject({ bytes: 1_000_026, preview: [{ name: "path", text: "/a" }, { name: "content" }] })
      expect(JSON.stringify(listed).length).toBeLessThan(2_000)
      expect(await again.due(start + 60_000, 5)).toEqual([summaryOf(large)])
      await commitAll(again, move(approved(large, start + 9)))
      expect(await again.approvals({ limit: 5 })).toMatchObject([{ status: "approved", expiresAt: start + 9 }])
    }),
  )

  it.each<{
    name: string
    within: HeldLimits
    excess: object
    /** Calls of these wait as well. */
    held?: readonly string[]
    /** One call too many; of `agent` where it is absent. */
    adds?: Parameters<typeof pending>[1]
    fits: Parameters<typeof pending>[1]
  }>([
    {
      name: "calls of a session",
      within: { perSession: { calls: 2 } },
      excess: { of: "session", what: "calls", most: 2, used: 2 },
      fits: of("agent", "other"),
    },
    {
      name: "calls of a principal, all its sessions together",
      within: { perPrincipal: { calls: 3 } },
      excess: { of: "principal", what: "calls", most: 3, used: 3 },
      fits: of("other", "s"),
    },
    {
      name: "bytes of a principal",
      within: { perPrincipal: { bytes: 100 } },
      excess: { of: "principal", what: "bytes", most: 100, used: 60 },
      fits: { ...of("agent", "s"), ...sized(40) },
    },
    {
      name: "calls of all agents that a credential names",
      within: { perProgram: { calls: 2 } },
      excess: { of: "program", what: "calls", most: 2, used: 2 },
      held: "app:a app:b app-2 app-2:a appx app.a".split(" "),
      adds: of("app:c", "s"),
      fits: of("app-3:c", "s"),
    },
    {
      name: "bytes of all agents that a credential names, whatever the names",
      within: { perProgram: { bytes: 100 } },
      excess: { of: "program", what: "bytes", most: 100, used: 80 },
      held: ["app:", 'app:"', "app:;", "app:é:\n", "app;", "ap", "app0"],
      adds: of("app:app", "s"),
      fits: { ...of("app:b", "s"), ...sized(20) },
    },
    {
      name: "calls in all",
      within: { inAll: { calls: 4 } },
      excess: { of: "all", what: "calls", most: 4, used: 4 },
      fits: null as never,
    },
    {
      name: "bytes in all",
      within: { inAll: { bytes: 120 } },
      excess: { of: "all", what: "bytes", most: 120, used: 80 },
      fits: { ...of("new", "s"), ...sized(40) },
    },
  ])("holds no more than may wait: $name", (row) =>
    withStore(async ({ store }) => {
      const held = [
        pending("a", { ...of("agent", "s"), ...sized(20) }),
        pending("b", { ...of("agent", "s"), ...sized(20) }),
        pending("c", { ...of("agent", "t"), ...sized(20) }),
        pending("d", { ...of("other", "s"), ...sized(20) }),
        denied(pending("e", { ...of("agent", "s"), ...sized(500) }), start),
        ...(row.held ?? []).map((principal) => pending(`held ${principal}`, { ...of(principal, "s"), ...sized(20) })),
      ]
      await commitAll(store, hold(...held))
      const before = await store.lastEvent()
      const refused: CommitResult = { ok: false, conflict: "limit", id: null, excess: row.excess as never }
      expect(await add(store, "f", { ...(row.adds ?? of("agent", "s")), ...sized(41) }, row.within)).toEqual(refused)
      expect(await store.approval("f")).toBeUndefined()
      expect(await store.lastEvent()).toBe(before)
      if (row.fits === null) await commitAll(store, move(denied(held[0] as never, start)))
      expect(await add(store, "g", row.fits ?? { ...of("agent", "s"), ...sized(1) }, row.within)).toMatchObject({
        ok: true,
      })
    })(),
  )

  it.each(runPrincipals)("counts calls of agent runs apart from all others: %s", (principal) =>
    withStore(async ({ store }) => {
      const within = { perSession: { calls: 2 }, perPrincipal: { calls: 4, bytes: 90 }, inAll: { calls: 2, bytes: 50 } }
      const byRun = (id: string, session: string) => add(store, id, { ...of(principal, session), ...sized(20) }, within)
      for (const [id, session] of [
        ["a", "r"],
        ["b", "r"],
        ["c", "s"],
        ["d", "s"],
      ] as const) {
        expect(await byRun(id, session)).toMatchObject({ ok: true })
      }
      expect(await byRun("e", "r")).toMatchObject({ excess: { of: "session", used: 2 } })
      expect(await byRun("e", "t")).toMatchObject({ excess: { of: "principal", used: 4 } })
      expect(await add(store, "f", { ...of("agent", "s"), ...sized(20) }, within)).toMatchObject({ ok: true })
      const both = [add(store, "g", { ...of("agent", "t"), ...sized(20) }, within)]
      both.push(add(store, "h", { ...of("agent", "u"), ...sized(5) }, within))
      const excess = { of: "all", what: "calls", most: 2, used: 2 }
      expect(await Promise.all(both)).toMatchObject([{ ok: true }, { ok: false, conflict: "limit", excess }])
    })(),
  )

  const asking = (id: string, startedBy: RunStarter, calls: number, heldBytes: number) => {
    const begun = agentRun(id, { startedBy })
    const [requirement] = pausedRun(begun).requirements
    const requirements = Array.from({ length: calls }, (_, at) => ({ ...requirement, approval: `${id}-${at}` }))
    return { begun, pause: moveRun({ ...pausedRun(begun), requirements, heldBytes } as PausedRun) }
  }
  const ofRuns = { perRun: { calls: 3, bytes: 100 }, perStarter: { calls: 5, bytes: 150 } }

  it.each([
    { name: "calls of one run", calls: 4, bytes: 1, excess: { of: "run", what: "calls", most: 3, used: 0 } },
    { name: "bytes of one run", calls: 1, bytes: 101, excess: { of: "run", what: "bytes", most: 100, used: 0 } },
    { name: "calls of a starter", calls: 3, bytes: 1, excess: { of: "starter", what: "calls", most: 5, used: 3 } },
    { name: "bytes of a starter", calls: 1, bytes: 91, excess: { of: "starter", what: "bytes", most: 150, used: 60 } },
  ])("pauses no run with more than may wait: $name", ({ calls, bytes, excess }) =>
    withStore(async ({ store, second }) => {
      const bob: RunStarter = { kind: "runner", id: "bob" }
      const first = asking("a", bob, 3, 60)
      const other = asking("b", bob, calls, bytes)
      const foreign = asking("c", { kind: "reviewer", id: "bob" }, 3, 100)
      await commitAll(store, ...[first, other, foreign].map(({ begun }) => begin(begun)))
      expect(await store.commit({ ...first.pause, within: { ofRuns } })).toMatchObject({ ok: true })
      const late = await (await second()).commit({ ...other.pause, within: { ofRuns } })
      expect(late).toEqual({ ok: false, conflict: "limit", id: null, excess })
      expect(await store.run("b")).toEqual(other.begun)
      expect(await store.commit({ ...foreign.pause, within: { ofRuns } })).toMatchObject({ ok: true })
      await commitAll(store, other.pause)
    })(),
  )

  it(
    "counts what waits for a starter's runs at all processes, and no more once they go on",
    withStore(async ({ store, second }) => {
      const other = await second()
      const asked = Array.from({ length: 12 }, (_, at) => asking(`r${at}`, { kind: "runner", id: "bob" }, 1, 1))
      await commitAll(store, ...asked.map(({ begun }) => begin(begun)))
      const results = await Promise.all(
        asked.map(({ pause }, at) => (at % 2 === 0 ? store : other).commit({ ...pause, within: { ofRuns } })),
      )
      expect(results.filter(({ ok }) => ok)).toHaveLength(5)
      const [paused] = await store.runs({ statuses: ["paused"], limit: 1 })
      await commitAll(
        store,
        moveRun(runningAgain(agentRun(paused?.id ?? "", { version: 2, startedBy: { kind: "runner", id: "bob" } }))),
      )
      const [left] = asked.filter((_, at) => results[at]?.ok === false)
      if (left !== undefined)
        expect(await other.commit({ ...left.pause, within: { ofRuns } })).toMatchObject({ ok: true })
    }),
  )

  it(
    "counts at all processes: of many that come at once no more are held than may",
    withStore(async ({ store, second }) => {
      const other = await second()
      const within = { perPrincipal: { calls: 5, bytes: 1_000 }, inAll: { calls: 9 } }
      const results = await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          add(at % 2 === 0 ? store : other, `p${at}`, { ...of("agent", `s${at}`), ...sized(10) }, within),
        ),
      )
      expect(results.filter(({ ok }) => ok)).toHaveLength(5)
      expect(await ids(store.approvals({ statuses: ["pending"], limit: 50 }))).toHaveLength(5)
    }),
  )

  it(
    "what is not limited is held, and can be answered, when the limits are reached",
    withStore(async ({ store }) => {
      await commitAll(store, hold(pending("a"), pending("b")))
      expect(await add(store, "c", {}, { inAll: { calls: 1 } })).toMatchObject({ conflict: "limit" })
      await commitAll(store, move(denied(pending("a"), start)), hold(pending("d")))
      expect(await ids(store.approvals({ statuses: ["pending"], limit: 9 }))).toEqual(["d", "b"])
    }),
  )
}
