import { type ApprovalQuery, summaryOf } from "@byleave/core"
import { expect, it } from "vitest"
import { expectLinked } from "./chain-contract.ts"
import type { WithStore } from "./contract-kit.ts"
import {
  approved,
  change,
  collect,
  commitAll,
  denied,
  draft,
  failed,
  grant,
  hold,
  ids,
  move,
  pending,
  pin,
  running,
  session,
  start,
  succeeded,
} from "./samples.ts"

const other = { principal: { id: "other" }, session: { principal: "other", id: "session", named: false } } as const

/** The results of a store's queries, and their order. */
export function readingContract(withStore: WithStore): void {
  const queries: ReadonlyArray<{ name: string; query: Omit<ApprovalQuery, "limit">; found: readonly string[] }> = [
    { name: "everything", query: {}, found: ["e", "d", "c", "b", "a"] },
    { name: "one status", query: { statuses: ["pending"] }, found: ["d", "b", "a"] },
    { name: "several statuses", query: { statuses: ["denied", "pending"] }, found: ["e", "d", "b", "a"] },
    { name: "no status", query: { statuses: [] }, found: [] },
    { name: "a principal", query: { principal: "other" }, found: ["b"] },
    { name: "a session", query: { session: "session", principal: "agent" }, found: ["e", "d", "c", "a"] },
    { name: "a server and tool", query: { server: "files", tool: "delete_file" }, found: ["d"] },
    { name: "created since", query: { createdSince: start + 20 }, found: ["e", "d", "c"] },
    { name: "settled since", query: { settledSince: start + 70 }, found: ["e"] },
    {
      name: "pending after d",
      query: { statuses: ["pending"], after: { createdAt: start + 20, id: "d" } },
      found: ["b", "a"],
    },
    {
      name: "after c, of the same time as d",
      query: { after: { createdAt: start + 20, id: "d" } },
      found: ["c", "b", "a"],
    },
    { name: "a name nobody has", query: { server: "__proto__" }, found: [] },
  ]

  it(
    "R148: lists and counts approvals, newest first",
    withStore(async ({ store }) => {
      await commitAll(
        store,
        hold(
          pending("a", { createdAt: start }),
          pending("b", { createdAt: start + 10, ...other }),
          pending("c", { createdAt: start + 20 }),
          pending("d", { createdAt: start + 20, tool: { server: "files", tool: "delete_file" } }),
          pending("e", { createdAt: start + 30 }),
        ),
        move(succeeded(pending("c", { createdAt: start + 20 }), start + 60)),
        move(denied(pending("e", { createdAt: start + 30 }), start + 70)),
      )
      for (const { name, query, found } of queries) {
        expect(await ids(store.approvals({ ...query, limit: 10 })), name).toEqual(found)
        expect(await ids(store.approvals({ ...query, limit: 1 })), name).toEqual(found.slice(0, 1))
        const { after: _, ...counted } = query
        if (query.after === undefined) expect(await store.countApprovals(counted), name).toBe(found.length)
      }
    }),
  )

  it(
    "tells which sessions have something open and how much of it waits, those with the newest first",
    withStore(async ({ store }) => {
      const strange = { principal: { id: "agent" }, session: { principal: "agent", id: 'a"\\\0b', named: true } }
      await commitAll(
        store,
        hold(
          pending("a", { createdAt: start }),
          pending("b", { createdAt: start + 10, ...strange }),
          pending("c", { createdAt: start + 20, ...other }),
          pending("d", { createdAt: start + 30 }),
          pending("e", { createdAt: start + 5, ...strange }),
        ),
        move(denied(pending("c", { createdAt: start + 20, ...other }), start + 40)),
        move(approved(pending("b", { createdAt: start + 10, ...strange }), start + 40)),
      )
      const [first, second] = [
        { session: pending("a").session, waiting: 2 },
        { session: strange.session, waiting: 1 },
      ]
      expect(await store.openSessions(9)).toEqual([first, second])
      expect(await store.openSessions(1)).toEqual([first])
    }),
  )

  it(
    "pages through many without losing or repeating one",
    withStore(async ({ store }) => {
      const all = Array.from({ length: 23 }, (_, index) => pending(`p${index}`, { createdAt: start + (index % 5) }))
      await commitAll(store, hold(...all))
      const seen: string[] = []
      let after: ApprovalQuery["after"]
      for (;;) {
        const page = await store.approvals({ limit: 4, ...(after === undefined ? {} : { after }) })
        seen.push(...page.map(({ id }) => id))
        const last = page.at(-1)
        if (last === undefined) break
        after = { createdAt: last.createdAt, id: last.id }
      }
      expect(seen).toHaveLength(23)
      expect(new Set(seen).size).toBe(23)
    }),
  )

  it(
    "finds identical calls that are open or whose outcome nobody received, oldest first",
    withStore(async ({ store }) => {
      const same = { callDigest: "same" }
      const names = ["a", "b", "c", "d", "e", "f", "g"]
      await commitAll(
        store,
        hold(...names.map((id, index) => pending(id, { ...same, createdAt: start + 100 - index }))),
        hold(
          pending("x", { ...same, ...other }),
          pending("y"),
          pending("z", { ...same, tool: { server: "files", tool: "other" } }),
        ),
        move(approved(pending("b", { ...same, createdAt: start + 99 }), start + 1_000)),
        move(running(pending("c", { ...same, createdAt: start + 98 }), start + 1_000)),
        move(succeeded(pending("d", { ...same, createdAt: start + 97 }), start + 200)),
        move(failed(pending("e", { ...same, createdAt: start + 96 }), start + 199)),
        move({ ...succeeded(pending("f", { ...same, createdAt: start + 95 }), start + 200), delivered: true }),
        move(denied(pending("g", { ...same, createdAt: start + 94 }), start + 200)),
      )
      const key = { principal: "agent", session: "session", server: "files", tool: "write_file", callDigest: "same" }
      expect(await ids(store.identical(key, start + 200))).toEqual(["d", "c", "b", "a"])
      expect(await ids(store.identical(key, start))).toEqual(["e", "d", "c", "b", "a"])
      expect(await ids(store.identical({ ...key, callDigest: "other" }, start))).toEqual([])
      // Without what was sent and what came back.
      const whole = await Promise.all(["d", "c", "b", "a"].map((id) => store.approval(id)))
      const summaries = whole.flatMap((approval) => (approval === undefined ? [] : [summaryOf(approval)]))
      expect(await store.identical(key, start + 200)).toEqual(summaries)
    }),
  )

  it(
    "R152: finds what is due, soonest first",
    withStore(async ({ store }) => {
      await commitAll(
        store,
        hold(
          pending("late", { expiresAt: start + 30 }),
          pending("soon", { expiresAt: start + 10 }),
          pending("never", { expiresAt: null }),
          pending("permit"),
          pending("run"),
          pending("settled", { expiresAt: start }),
        ),
        move(approved(pending("permit"), start + 20)),
        move(running(pending("run"), start + 5)),
        move(denied(pending("settled"), start)),
      )
      expect(await ids(store.due(start + 30, 10))).toEqual(["run", "soon", "permit", "late"])
      expect(await ids(store.due(start + 29, 2))).toEqual(["run", "soon"])
      expect(await ids(store.due(start + 4, 10))).toEqual([])
    }),
  )

  it(
    "answers for ids that do not exist",
    withStore(async ({ store }) => {
      for (const id of ["", "absent", "__proto__", "constructor"]) {
        expect(await store.approval(id)).toBeUndefined()
        expect(await store.session({ principal: id, id })).toBeUndefined()
        expect(await store.records({ subject: id, limit: 5 })).toEqual([])
      }
      expect(await store.events(99, 5)).toEqual([])
    }),
  )

  const odd = [
    "__proto__",
    "it's; DROP TABLE approvals--",
    "ünïcode ❤️ 漢字",
    "e\u0301 is not \u00e9",
    "\u202ereversed",
    'a\nb\t"c\\',
    "%_*?",
    "nul\0nul",
    "high \ud800",
    "low \udc00",
    "\\ud800",
  ]
  it.each(odd)("keeps the odd name %j as it is", (name) =>
    withStore(async ({ store, reopen }) => {
      const held = { ...named(name), args: { [name === "__proto__" ? "proto" : name]: name } }
      await commitAll(
        store,
        hold(held),
        change({
          sessions: [{ ...session(name), principal: name }],
          events: [{ type: "session.ended", subject: name }],
        }),
      )
      const again = await reopen()
      expect(await again.approval(name)).toEqual(held)
      expect(
        await ids(again.approvals({ principal: name, session: name, server: name, tool: name, limit: 2 })),
      ).toEqual([name])
      expect(await again.session({ principal: name, id: name })).toMatchObject({
        principal: name,
        id: name,
      })
      expect((await again.records({ subject: name, limit: 2 })).map((record) => record.subject)).toEqual([name])
      expect((await again.events(0, 10)).map((event) => event.subject)).toEqual([name, name])
    })(),
  )

  it(
    "tells names apart that differ in what no encoding can hold",
    withStore(async ({ store, reopen, ports }) => {
      const names = ["q\ud800", "q\ud801", "q\ufffd", "q\\ud800", "q\0", "q"]
      const put = (name: string, index: number) =>
        change({
          approvals: [{ next: named(name), replaces: null }],
          records: [draft("call.asked", name)],
          grants: [{ put: grant(name, { usesLeft: index }) }],
          pins: [{ put: pin(name, name, String(index)) }],
          sessions: [{ ...session(name, { modeBy: name, mode: "observe", modeUntil: index }), principal: name }],
          events: [{ type: "session.ended", subject: name }],
        })
      await commitAll(store, ...names.map(put))
      const again = await reopen()
      const state = await again.decisionState()
      const byLeft = new Map(state.grants.map((each) => [each.usesLeft, each.id]))
      expect(names.map((_, index) => byLeft.get(index))).toEqual(names)
      expect(new Set(state.pins.map((each) => each.server))).toEqual(new Set(names))
      expect(new Set(state.sessions.map((each) => each.id))).toEqual(new Set(names))
      expect((await again.events(0, 9)).map(({ subject }) => subject)).toEqual(names)
      for (const [index, name] of names.entries()) {
        const key = { principal: name, session: name, server: name, tool: name }
        expect(await again.approval(name)).toEqual(named(name))
        expect(await again.identical({ ...key, callDigest: name }, start)).toEqual([summaryOf(named(name))])
        expect(await ids(again.approvals({ ...key, limit: 9 }))).toEqual([name])
        expect(await again.session({ principal: name, id: name })).toMatchObject({ modeBy: name, modeUntil: index })
        expect((await again.records({ subject: name, limit: 9 })).map(({ subject }) => subject)).toEqual([name])
      }
      expectLinked(await collect(again.chains()), ports.hasher)
      expect(new Set((await collect(again.lifeCycles())).map(({ subject }) => subject))).toEqual(new Set(names))
      const gone = { grants: [{ remove: "q\ud800" }], pins: [{ remove: { server: "q\ud800", tool: "q\ud800" } }] }
      await commitAll(again, change(gone))
      const rest = await again.decisionState()
      expect(new Set(rest.grants.map(({ id }) => id))).toEqual(new Set(names.slice(1)))
      expect(new Set(rest.pins.map(({ tool }) => tool))).toEqual(new Set(names.slice(1)))
    }),
  )

  it(
    "R94: gives arguments back as they were sent: exact numbers, any key, any character, any size",
    withStore(async ({ store, reopen }) => {
      const text = `{"id":9007199254740993,"huge":1e400,"__proto__":{"a":1},"nul":"\\u0000","deep":[[[{}]]],"big":"${"x".repeat(1_000_000)}"}`
      await commitAll(store, hold(pending("a", { args: exactJson(text) })))
      const found = await (await reopen()).approval("a")
      expect(JSON.stringify(found?.args)).toBe(text)
    }),
  )
}

function named(name: string): ReturnType<typeof pending> {
  return pending(name, {
    tool: { server: name, tool: name },
    principal: { id: name, owner: name },
    session: { principal: name, id: name, named: true },
    callDigest: name,
  })
}

// Reads JSON the way core's strict reader does: numbers that no double holds keep their text, `__proto__` is a key.
function exactJson(text: string): NonNullable<ReturnType<typeof pending>["args"]> {
  const exact = JSON as typeof JSON & { rawJSON: (text: string) => unknown }
  const keep = (_: string, value: unknown, context: { source?: string }): unknown =>
    typeof value === "number" && String(value) !== context.source ? exact.rawJSON(context.source ?? "") : value
  return JSON.parse(text, keep as Parameters<typeof JSON.parse>[1])
}
