import { type AgentRun, type Change, runSummaryOf } from "@byleave/core"
import { expect, it } from "vitest"
import type { WithStore } from "./contract-kit.ts"
import {
  agentRun,
  askedByRun,
  begin,
  change,
  commitAll,
  draft,
  endedRun,
  ids,
  line,
  lines,
  moveRun,
  pausedRun,
  runningAgain,
  start,
} from "./samples.ts"

/** Runs, each at a version, with their journals. */
export function runContract(withStore: WithStore): void {
  it(
    "keeps runs in all their states, and has them after a restart",
    withStore(async ({ store, reopen }) => {
      const odd = '\0 \ud800 "\\'
      const begun = [
        agentRun("running", { owner: odd, title: odd, startedBy: { kind: "runner", id: odd } }),
        agentRun(odd, { setup: { model: odd, servers: [odd], maxSteps: 1, metadata: { [odd]: [odd, null, 1.5] } } }),
        ...["paused", "finished", "failed", "cancelled"].map((id) => agentRun(id)),
      ]
      await commitAll(store, ...begun.map((run) => begin(run)))
      const ended = (["finished", "failed", "cancelled"] as const).map((id) => endedRun(agentRun(id), id, start + 5))
      const moved = [pausedRun(agentRun("paused"), start + 2), ...ended]
      await commitAll(store, ...moved.map((run) => moveRun(run)))
      const again = await reopen()
      for (const run of [...begun.slice(0, 2), ...moved]) {
        expect(await again.run(run.id)).toEqual(run)
        expect(await again.runSummary(run.id)).toEqual(runSummaryOf(run))
      }
      expect(await again.run("nobody")).toBeUndefined()
      expect(await again.runSummary("nobody")).toBeUndefined()
      const told = await again.events(0, 20)
      expect(told.map(({ type }) => type)).toEqual(told.map(() => "agent-run.changed"))
      expect(told.map(({ subject }) => subject)).toEqual([...begun, ...moved].map(({ id }) => id))
    }),
  )

  it(
    "is a conflict when the run is already there, not there, or at another version",
    withStore(async ({ store, second }) => {
      const other = await second()
      const paused = pausedRun(agentRun("a"))
      await commitAll(store, begin(agentRun("a")), moveRun(paused))
      const late = [begin(agentRun("a")), moveRun(paused), moveRun({ ...paused, version: 4 }), remove("a", 1)]
      for (const each of late) expect(await other.commit(each)).toEqual(conflict("a"))
      expect(await other.commit(moveRun(pausedRun(agentRun("b"))))).toEqual(conflict("b"))
      expect(await other.commit(remove("b", 1))).toEqual(conflict("b"))
      expect(await store.runs({ limit: 9 })).toEqual([runSummaryOf(paused)])
      await commitAll(other, remove("a", 2))
      expect(await store.run("a")).toBeUndefined()
      await commitAll(store, begin(agentRun("a")))
      expect(await other.run("a")).toEqual(agentRun("a"))
    }),
  )

  it(
    "lets one of many racing changes of a run win, over two connections",
    withStore(async ({ store, second }) => {
      const other = await second()
      const race = async (changeBy: (owner: string) => Change): Promise<void> => {
        const rivals = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? store : other).commit(changeBy(`p${at}`)))
        const results = await Promise.all(rivals)
        expect(results.filter((result) => result.ok)).toHaveLength(1)
        for (const result of results) if (!result.ok) expect(result).toEqual(conflict("a"))
        const owner = `p${results.findIndex((result) => result.ok)}`
        for (const each of [store, other]) expect(await each.run("a")).toMatchObject({ owner })
      }
      await race((owner) => begin(agentRun("a", { owner })))
      await race((owner) => moveRun(runningAgain(agentRun("a"), { owner })))
    }),
  )

  it(
    "writes nothing of a change with a run that conflicts, and no run of one that conflicts elsewhere",
    withStore(async ({ store }) => {
      const begun = agentRun("a")
      await commitAll(store, begin(begun, lines("a", "p1", line("a", 1))))
      const call = askedByRun("a-1", begun)
      const pause = moveRun(pausedRun(begun), {
        ...lines("a", "p1", line("a", 2)),
        approvals: [{ next: call, replaces: null }],
        records: [draft("call.asked", call.id, { payload: "{}" })],
      })
      const before = await store.lastEvent()
      const nothing = async (): Promise<void> => {
        expect(await store.run("a")).toEqual(begun)
        expect(await store.approval(call.id)).toBeUndefined()
        expect(await store.records({ types: ["call.asked"], limit: 9 })).toEqual([])
        expect((await store.journal("a", { after: 0, maxBytes: 99 })).map(({ seq }) => seq)).toEqual([1])
        expect(await store.lastEvent()).toBe(before)
      }
      const late = { ...pause, runs: [{ next: pausedRun({ ...begun, version: 2 }), replaces: 2 }] }
      const badCall = { ...pause, approvals: [{ next: { ...call, version: 2 }, replaces: 1 }] }
      const badLine = { ...pause, ...lines("a", "p1", line("a", 2), line("a", 3, { name: "line 1" })) }
      for (const each of [late, badCall, badLine, { ...pause, epoch: 99 }]) {
        expect(await store.commit(each)).toMatchObject({ ok: false })
        await nothing()
      }
      await commitAll(store, pause)
      expect(await store.run("a")).toMatchObject({ status: "paused" })
      expect(await store.approval(call.id)).toEqual(call)
      expect(await store.records({ types: ["call.asked"], limit: 9 })).toHaveLength(1)
      expect(await store.journal("a", { after: 1, maxBytes: 99 })).toEqual([line("a", 2)])
      expect(await store.lastEvent()).toBe(before + 1)
    }),
  )

  it(
    "lets the changes of one tick see the ones before them",
    withStore(async ({ store }) => {
      const begun = agentRun("a")
      const paused = pausedRun(begun)
      const tick = [
        begin(begun, lines("a", "p1", line("a", 1))),
        begin(begun),
        change(lines("a", "p1", line("a", 2))),
        change(lines("a", "p1", line("a", 2))),
        moveRun(paused, lines("a", "p1", line("a", 3))),
        change(lines("a", "p1", line("a", 4))),
        moveRun(paused),
        remove("a", 2),
        begin(agentRun("a", { owner: "p2" }), lines("a", "p2", line("a", 1, { text: '"anew"' }))),
        change(lines("a", "p1", line("a", 2))),
      ]
      const results = await Promise.all(tick.map((each) => store.commit(each)))
      expect(results.map((result) => (result.ok ? "ok" : `${result.conflict} ${result.id}`))).toEqual([
        ...["ok", "run a", "ok", "journal line 2", "ok", "run a", "run a", "ok", "ok", "run a"],
      ])
      expect(await store.run("a")).toMatchObject({ version: 1, owner: "p2" })
      expect(await store.journal("a", { after: 0, maxBytes: 99 })).toEqual([line("a", 1, { text: '"anew"' })])
    }),
  )

  it(
    "goes with its journal once it ended before what is kept; one that runs or waits stays",
    withStore(async ({ store, reopen }) => {
      const named = ["young", "running", "paused", "finished", "failed", "cancelled"].map((id) => agentRun(id))
      await commitAll(store, ...named.map((run) => begin(run, lines(run.id, "p1", line(run.id, 1)))))
      const moved = [
        pausedRun(agentRun("paused")),
        ...(["finished", "failed", "cancelled"] as const).map((status) =>
          endedRun(agentRun(status), status, start + 9),
        ),
        endedRun(agentRun("young"), "finished", start + 10),
      ]
      await commitAll(store, ...moved.map((run) => moveRun(run)))
      expect(await store.removePayloads(start + 10)).toBe(0)
      const again = await reopen()
      expect(await ids(again.runs({ limit: 9 }))).toEqual(["young", "running", "paused"])
      const lengths = await Promise.all(named.map(({ id }) => again.journal(id, { after: 0, maxBytes: 99 })))
      expect(lengths.map(({ length }) => length)).toEqual([1, 1, 1, 0, 0, 0])
      expect(await again.commit(moveRun(runningAgain(moved[1] as AgentRun)))).toEqual(conflict("finished"))
      await commitAll(again, begin(agentRun("finished"), lines("finished", "p1", line("finished", 2))))
      expect(await again.journal("finished", { after: 0, maxBytes: 99 })).toEqual([line("finished", 2)])
    }),
  )

  it(
    "refuses numbers that are not whole, versions that do not follow, long ids, and a run that is written twice",
    withStore(async ({ store }) => {
      const odd: ReadonlyArray<Partial<Change>> = [
        { runs: [{ next: agentRun("a", { leaseUntil: start + 0.5 }), replaces: null }] },
        { runs: [{ next: agentRun("a", { createdAt: Number.NaN }), replaces: null }] },
        { runs: [{ next: agentRun("a", { usage: { input: 0.1, output: 0, total: 0 } }), replaces: null }] },
        { runs: [{ next: endedRun(agentRun("a"), "failed", start + 0.5), replaces: 1 }] },
        { runs: [{ next: { ...pausedRun(agentRun("a")), pausedAt: 0.5 }, replaces: 1 }] },
        { runs: [{ next: agentRun("a", { version: 0 }), replaces: null }] },
        { runs: [{ next: agentRun("a", { version: 2 }), replaces: 2 }] },
        { runs: [{ remove: "a", replaces: 0.5 }] },
        { runs: [{ next: agentRun("ü".repeat(101)), replaces: null }] },
        { runs: [agentRun("a"), pausedRun(agentRun("a"))].map((next) => ({ next, replaces: null })) },
      ]
      for (const each of odd) await expect(store.commit(change(each))).rejects.toThrow(TypeError)
      expect(await store.runs({ limit: 9 })).toEqual([])
    }),
  )
}

function remove(id: string, replaces: number): Change {
  return change({ runs: [{ remove: id, replaces }] })
}

function conflict(id: string) {
  return { ok: false, conflict: "run", id }
}
