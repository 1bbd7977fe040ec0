import { type AgentRun, type RunQuery, type RunStarter, runPrincipals, runSummaryOf, type Store } from "@byleave/core"
import { describe, expect, it } from "vitest"
import type { WithStore } from "./contract-kit.ts"
import {
  agentRun,
  askedByRun,
  begin,
  commitAll,
  denied,
  endedRun,
  hold,
  ids,
  move,
  moveRun,
  pausedRun,
  pending,
  runningAgain,
  start,
} from "./samples.ts"

/** Runs found by who started them and by what they wait for. */
export function runQueriesContract(withStore: WithStore): void {
  describe("lists", () => {
    const some = async (store: Store): Promise<void> => {
      const bob = { kind: "runner", id: "bob" } as const
      await commitAll(
        store,
        begin(agentRun("a", { createdAt: start + 1 })),
        begin(agentRun("c", { createdAt: start + 3, startedBy: bob })),
        begin(agentRun("b", { createdAt: start + 3, principal: "chat" })),
        begin(agentRun("d", { createdAt: start + 4, principal: "chat", startedBy: { kind: "reviewer", id: "bob" } })),
        begin(agentRun("e", { createdAt: start + 5, startedBy: bob })),
        moveRun(pausedRun(agentRun("a", { createdAt: start + 1 }))),
        moveRun(endedRun(agentRun("e", { createdAt: start + 5, startedBy: bob }), "finished", start + 9)),
      )
    }

    it(
      "runs page by page, newest first",
      withStore(async ({ store }) => {
        await some(store)
        const pages: string[][] = []
        let after: RunQuery["after"]
        for (;;) {
          const page = await store.runs({ limit: 2, ...(after === undefined ? {} : { after }) })
          const last = page.at(-1)
          if (last === undefined) break
          pages.push(page.map(({ id }) => id))
          after = { createdAt: last.createdAt, id: last.id }
        }
        expect(pages).toEqual([["e", "d"], ["c", "b"], ["a"]])
      }),
    )

    it(
      "summaries, however much starters sent and however many calls wait",
      withStore(async ({ store, reopen }) => {
        const long = "x".repeat(1_000_000)
        const setup = { model: "m", servers: ["files"], maxSteps: 9, instructions: long, metadata: { long } }
        const begun = agentRun("a", { setup: { ...setup, face: { long } }, title: long })
        const requirements = Array.from({ length: 300 }, (_, at) => ({
          approval: `a${at}`,
          toolCall: `c${at}`,
          tool: { server: "files", tool: "write_file" },
        }))
        const paused = { ...pausedRun(begun), requirements }
        await commitAll(store, begin(begun), moveRun(paused))
        const again = await reopen()
        const [listed] = await again.runs({ limit: 9 })
        expect(listed).toEqual(runSummaryOf(paused))
        expect(listed).toMatchObject({ status: "paused", waitsFor: 300, setup: { model: "m", servers: ["files"] } })
        expect(JSON.stringify(listed).length).toBeLessThan(1_000)
        expect(await again.run("a")).toEqual(paused)
      }),
    )

    it.each<{ name: string; query: Omit<RunQuery, "limit">; found: string }>([
      { name: "of some states", query: { statuses: ["paused", "finished"] }, found: "e a" },
      { name: "of no state", query: { statuses: [] }, found: "" },
      { name: "of states that are named twice", query: { statuses: ["paused", "paused"] }, found: "a" },
      { name: "of a person", query: { startedBy: { kind: "reviewer", id: "ada" } }, found: "b a" },
      { name: "of a program with a person's name", query: { startedBy: { kind: "runner", id: "bob" } }, found: "e c" },
      { name: "of chats", query: { principal: "chat" }, found: "d b" },
      { name: "of other runs", query: { principal: "run" }, found: "e c a" },
      {
        name: "by everything at once",
        query: { principal: "chat", statuses: ["running"], startedBy: { kind: "reviewer", id: "bob" } },
        found: "d",
      },
      { name: "since a time", query: { createdSince: start + 4 }, found: "e d" },
      {
        name: "of a program since a time",
        query: { startedBy: { kind: "runner", id: "bob" }, createdSince: start + 4 },
        found: "e",
      },
      { name: "of nobody", query: { startedBy: { kind: "runner", id: "ada" } }, found: "" },
    ])("$name, and counts them", ({ query, found }) =>
      withStore(async ({ store }) => {
        await some(store)
        const names = found === "" ? [] : found.split(" ")
        expect(await ids(store.runs({ ...query, limit: 9 }))).toEqual(names)
        expect(await store.countRuns(query)).toBe(names.length)
        const [first] = await store.runs({ ...query, limit: 1 })
        if (first !== undefined)
          expect(await ids(store.runs({ ...query, after: first, limit: 9 }))).toEqual(names.slice(1))
      })(),
    )
  })

  it(
    "tells what the open runs of one starter take",
    withStore(async ({ store, reopen }) => {
      const bob: RunStarter = { kind: "runner", id: 'bob "\\ \0' }
      const begun = ["a", "b", "c"].map((id) => agentRun(id, { startedBy: bob, bytes: 100 }))
      const others = [agentRun("d", { bytes: 7 }), agentRun("e", { startedBy: { ...bob, kind: "reviewer" }, bytes: 7 })]
      await commitAll(store, ...[...begun, ...others].map((run) => begin(run)))
      const [a, b] = begun as [AgentRun, AgentRun]
      const paused = { ...pausedRun(a), heldBytes: 40 }
      await commitAll(store, moveRun(paused), moveRun(endedRun(b, "finished", start)))
      const again = await reopen()
      expect(await again.openRuns(bob)).toEqual({ runs: 2, bytes: 200, waiting: { calls: 1, bytes: 40 } })
      await commitAll(again, moveRun(runningAgain(paused, { bytes: 300 })))
      expect(await again.openRuns(bob)).toEqual({ runs: 2, bytes: 400, waiting: { calls: 0, bytes: 0 } })
      expect(await again.openRuns({ kind: "runner", id: "nobody" })).toMatchObject({ runs: 0, bytes: 0 })
    }),
  )

  describe("runs to take up", () => {
    const found = (store: Store, over: Partial<Parameters<Store["runsToTakeUp"]>[0]> = {}) =>
      ids(store.runsToTakeUp({ now: start, alive: ["p1"], limit: 9, ...over }))

    it.each(runPrincipals)(
      "are paused ones once none of their calls is pending, wherever that was answered: %s",
      (principal) =>
        withStore(async ({ store, second, reopen }) => {
          const other = await second()
          const run = agentRun("a", { principal })
          const calls = [askedByRun("a-1", run), askedByRun("a-2", run)]
          await commitAll(store, begin(run), moveRun(pausedRun(run), { ...hold(...calls), events: [] }))
          expect(await found(store)).toEqual([])
          await commitAll(other, move(denied(calls[0] ?? pending("?"), start + 1)))
          expect(await found(store)).toEqual([])
          await commitAll(other, move(denied(calls[1] ?? pending("?"), start + 1)))
          expect(await found(store)).toEqual(["a"])
          const taken = runningAgain({ ...run, version: 2 })
          await commitAll(other, moveRun(taken))
          expect(await found(store)).toEqual([])
          const again = await reopen()
          expect(await found(again)).toEqual([])
          expect(await again.runsToTakeUp({ now: start + 30_000, alive: ["p1"], limit: 9 })).toEqual([taken])
        })(),
    )

    it(
      "wait for their own calls only",
      withStore(async ({ store }) => {
        const run = agentRun("a")
        const ofOthers = [
          pending("x", { session: { principal: "agent", id: "a", named: true } }),
          askedByRun("y", { ...run, principal: "chat" }),
          askedByRun("z", { ...run, id: "b" }),
        ]
        await commitAll(store, begin(run), moveRun(pausedRun(run)), hold(...ofOthers))
        expect(await found(store)).toEqual(["a"])
      }),
    )

    it(
      "are running ones whose lease has lapsed, or whose owner is gone",
      withStore(async ({ store }) => {
        await commitAll(
          store,
          begin(agentRun("a", { owner: "p1", leaseUntil: start + 10 })),
          begin(agentRun("b", { owner: "p2", leaseUntil: start + 20 })),
          begin(agentRun("c", { owner: 'p"3', leaseUntil: start + 30 })),
        )
        expect(await found(store, { now: start + 9, alive: ["p1", "p2", 'p"3'] })).toEqual([])
        expect(await found(store, { now: start + 9, alive: ["p1", 'p"3'] })).toEqual(["b"])
        expect(await found(store, { now: start + 9, alive: [] })).toEqual(["a", "b", "c"])
        expect(await found(store, { now: start + 20, alive: ["p1", "p2", 'p"3'] })).toEqual(["a", "b"])
      }),
    )

    it(
      "come longest unchanged first, and only so many; those that ended never do",
      withStore(async ({ store }) => {
        const times: ReadonlyArray<readonly [string, number]> = [
          ["c", 5],
          ["a", 9],
          ["b", 5],
          ["d", 7],
        ]
        await commitAll(
          store,
          ...times.map(([id, at]) => begin(agentRun(id, { updatedAt: start + at, leaseUntil: start }))),
        )
        await commitAll(store, moveRun(pausedRun(agentRun("d"), start + 7)))
        const ended = (["finished", "failed", "cancelled"] as const).map((status) =>
          endedRun(agentRun(status), status, start),
        )
        await commitAll(store, ...ended.map((run) => begin(agentRun(run.id))), ...ended.map((run) => moveRun(run)))
        expect(await found(store)).toEqual(["b", "c", "d", "a"])
        expect(await found(store, { limit: 3 })).toEqual(["b", "c", "d"])
        expect(await found(store, { limit: 1 })).toEqual(["b"])
      }),
    )
  })
}
