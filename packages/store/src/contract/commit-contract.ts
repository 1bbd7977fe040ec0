import type { CommitResult, Grant, Store } from "@byleave/core"
import { expect, it } from "vitest"
import type { WithStore } from "./contract-kit.ts"
import {
  approved,
  change,
  collect,
  commitAll,
  denied,
  draft,
  grant,
  hold,
  move,
  pending,
  pin,
  running,
  session,
  start,
} from "./samples.ts"

/** All or nothing, judged by versions, uses and the epoch. */
export function commitContract(withStore: WithStore): void {
  it(
    "keeps what was committed",
    withStore(async ({ store }) => {
      const held = pending("a")
      await commitAll(store, hold(held))
      expect(await store.approval("a")).toEqual(held)
    }),
  )

  it(
    "keeps who had a call run, until when its outcome is kept, and which approval it takes back",
    withStore(async ({ store }) => {
      const held = pending("a", { undoOf: "earlier" })
      await commitAll(store, hold(held))
      const runNow = { by: "ada", keptUntil: start + 100 }
      const ran = { ...running(held, start + 50), undoOf: "earlier", runNow }
      await commitAll(store, move(ran))
      expect(await store.approval("a")).toEqual(ran)
      const [listed] = await store.approvals({ limit: 1 })
      expect(listed).toMatchObject({ undoOf: "earlier", runNow })
    }),
  )

  it(
    "is a conflict when the approval is already there, not there, or at another version",
    withStore(async ({ store }) => {
      await commitAll(store, hold(pending("a")))
      expect(await store.commit(hold(pending("a", { why: "again" })))).toEqual(conflict("approval", "a"))
      expect(await store.commit(move(approved(pending("b"), start)))).toEqual(conflict("approval", "b"))
      expect(await store.commit(move(denied(pending("a", { version: 4 }), start)))).toEqual(conflict("approval", "a"))
      expect((await store.approval("a"))?.why).toBe(pending("a").why)
      expect(await store.approval("b")).toBeUndefined()
    }),
  )

  it(
    "writes nothing of a change that conflicts in any part",
    withStore(async ({ store }) => {
      await commitAll(store, hold(pending("a")))
      const before = await snapshot(store)
      const everything = {
        grants: [{ put: grant("g") }],
        pins: [{ put: pin("files", "read_file") }],
        sessions: [session("s")],
        use: { principal: "agent", session: "t", isUnasked: true } as const,
        records: [draft("call.asked", "b")],
        events: [{ type: "approval.pending", subject: "b" }] as const,
      }
      const approvals = [
        { next: pending("b"), replaces: null },
        { next: pending("a"), replaces: null },
      ]
      expect(await store.commit(change({ ...everything, approvals }))).toEqual(conflict("approval", "a"))
      expect(await store.commit(change({ ...everything, epoch: 99 }))).toEqual(conflict("epoch", null))
      const grantUses = [{ grant: "gone", counted: true }]
      expect(await store.commit(change({ ...everything, grantUses }))).toEqual(conflict("grant", "gone"))
      expect(await snapshot(store)).toEqual(before)
    }),
  )

  it.each([Number.NaN, Number.POSITIVE_INFINITY, start + 0.5, 2 ** 60])(
    "refuses a change with the time %d in any place, before anything is written",
    (odd) =>
      withStore(async ({ store }) => {
        await commitAll(store, hold(pending("a")))
        const before = await snapshot(store)
        const votes = [{ reviewer: "ada", groups: [], kind: "approve", digest: "d", at: odd }] as const
        const { accepted } = pin("files", "read_file")
        const proposed = accepted && { ...accepted, seenAt: odd }
        const held = [
          pending("b", { createdAt: odd }),
          pending("b", { expiresAt: odd }),
          pending("b", { votes }),
          { ...approved(pending("b"), start), at: odd },
          approved(pending("b"), odd),
          { ...running(pending("b"), start), startedAt: odd },
          running(pending("b"), odd),
          denied(pending("b"), odd),
        ]
        const changes = [
          change({ at: odd, events: [{ type: "grant.changed", subject: "g" }] }),
          change({ records: [draft("call.asked", "b", { at: odd })] }),
          ...held.map((approval) => hold(pending("c"), approval)).map((each) => ({ ...each, records: [] })),
          ...[{ createdAt: odd }, { until: odd }, { lastUsedAt: odd }].map((over) =>
            change({ grants: [{ put: grant("f") }, { put: grant("g", over) }] }),
          ),
          change({ pins: [{ put: { ...pin("files", "read_file"), proposed } }] }),
          change({
            pins: [{ put: { ...pin("files", "read_file"), rejectedBefore: [{ fingerprint: "f", at: odd, by: "u" }] } }],
          }),
          change({
            pins: [
              {
                put: {
                  ...pin("files", "read_file"),
                  alsoAccepted: accepted === null ? [] : [{ ...accepted, at: odd }],
                },
              },
            ],
          }),
          ...[{ modeUntil: odd }, { endedAt: odd }, { lifted: [{ tool: "t", at: odd }] }].map((over) =>
            change({ sessions: [session("s", { mode: "observe", ...over })] }),
          ),
        ]
        for (const each of changes) await expect(store.commit(each), JSON.stringify(each)).rejects.toThrow(TypeError)
        await expect(store.stayAlive(odd)).rejects.toThrow(TypeError)
        await expect(store.removePayloads(odd)).rejects.toThrow(TypeError)
        expect(await snapshot(store)).toEqual(before)
        await commitAll(store, hold(pending("b")))
      })(),
  )

  it(
    "lets one of many racing changes of an approval win, over two connections",
    withStore(async ({ store, second }) => {
      const other = await second()
      await commitAll(store, hold(pending("a")))
      const rivals = Array.from({ length: 20 }, (_, index) => {
        const next = { ...approved(pending("a"), start), by: `reviewer ${index}` }
        return (index % 2 === 0 ? store : other).commit(move(next))
      })
      const results = await Promise.all(rivals)
      const winner = results.findIndex((result) => result.ok)
      expect(results.filter((result) => result.ok)).toHaveLength(1)
      for (const each of [store, other]) {
        expect(await each.approval("a")).toMatchObject({ version: 2, by: `reviewer ${winner}` })
      }
    }),
  )

  it(
    "commits the changes of one tick each on its own: one that conflicts leaves the others alone",
    withStore(async ({ store }) => {
      const changes = [hold(pending("a")), hold(pending("b")), hold(pending("a")), hold(pending("c"))]
      const results = await Promise.all(changes.map((each) => store.commit(each)))
      expect(results.map((result) => result.ok)).toEqual([true, true, false, true])
      const written = (await store.records({ types: ["call.asked"], limit: 10 })).map((record) => record.subject)
      expect([...written].sort()).toEqual(["a", "b", "c"])
    }),
  )

  it(
    "moves the epoch with grants, pins and sessions, when the change says so, and with nothing else",
    withStore(async ({ store }) => {
      const epoch = async (): Promise<number> => (await store.decisionState()).epoch
      let before = await epoch()
      const moving = [
        change({ grants: [{ put: grant("g", { usesLeft: 5 }) }] }),
        change({ pins: [{ put: pin("files", "read_file") }] }),
        change({ sessions: [session("s")] }),
        change({ grants: [{ remove: "absent" }] }),
        change({ pins: [{ remove: { server: "files", tool: "read_file" } }] }),
        change({ records: [draft("policy.changed", null)], movesEpoch: true }),
      ]
      for (const each of moving) {
        const result = await store.commit(each)
        const after = await epoch()
        expect(after).toBeGreaterThan(before)
        expect(result).toEqual({ ok: true, epoch: after })
        before = after
      }
      const still = [
        hold(pending("a")),
        change({ records: [draft("call.allowed", "c")], durability: "soon" }),
        change({ grantUses: [{ grant: "g", counted: true }] }),
        change({ use: { principal: "agent", session: "other", isUnasked: true } }),
        change({ grants: [], pins: [], sessions: [session("s")], movesEpoch: false }),
      ]
      for (const each of still) expect(await store.commit(each)).toEqual({ ok: true, epoch: before })
      expect(await epoch()).toBe(before)
    }),
  )

  it(
    "is a conflict when the epoch moved on at another connection",
    withStore(async ({ store, second }) => {
      const other = await second()
      const judged = change({ records: [draft("call.allowed", "c")], durability: "soon" })
      for (const moving of [change({ grants: [{ put: grant("g") }] }), change({ movesEpoch: true })]) {
        const { epoch: before } = await store.decisionState()
        await commitAll(other, moving)
        expect(await store.commit({ ...judged, epoch: before })).toEqual(conflict("epoch", null))
      }
      const { epoch: now } = await store.decisionState()
      expect(await store.commit({ ...judged, epoch: now })).toEqual({ ok: true, epoch: now })
    }),
  )

  it(
    "R151: counts uses of a grant and remembers the last",
    withStore(async ({ store }) => {
      await commitAll(store, change({ grants: [{ put: grant("limited", { usesLeft: 2 }) }, { put: grant("free") }] }))
      const grantUses = [
        { grant: "limited", counted: true },
        { grant: "free", counted: true },
        { grant: "free", counted: false },
        { grant: "gone", counted: false },
      ]
      await commitAll(store, change({ at: start + 5, grantUses }))
      expect(await grants(store)).toEqual([
        grant("free", { timesUsed: 2, lastUsedAt: start + 5 }),
        grant("limited", { usesLeft: 1, timesUsed: 1, lastUsedAt: start + 5 }),
      ])
    }),
  )

  it(
    "R59: never lets racing calls use a grant more often than it says",
    withStore(async ({ store, second }) => {
      const other = await second()
      await commitAll(store, change({ grants: [{ put: grant("g", { usesLeft: 10 }) }] }))
      const results = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          (index % 2 === 0 ? store : other).commit(
            change({ grantUses: [{ grant: "g", counted: true }], records: [draft("call.allowed", `c${index}`)] }),
          ),
        ),
      )
      expect(results.filter((result) => result.ok)).toHaveLength(10)
      for (const result of results) if (!result.ok) expect(result).toEqual(conflict("grant", "g"))
      expect(await grants(other)).toMatchObject([{ usesLeft: 0, timesUsed: 10 }])
      expect(await store.records({ types: ["call.allowed"], limit: 50 })).toHaveLength(10)
    }),
  )

  it(
    "takes a new grant's uses in the change that makes it, and no more than it has",
    withStore(async ({ store }) => {
      const use = { grant: "g", counted: true }
      const grants = [{ put: grant("g", { usesLeft: 2 }) }]
      expect(await store.commit(change({ grants, grantUses: [use, use, use] }))).toEqual(conflict("grant", "g"))
      await commitAll(store, change({ grants, grantUses: [use, use] }))
      expect((await store.decisionState()).grants).toMatchObject([{ id: "g", usesLeft: 0 }])
    }),
  )

  it(
    "R47 R54 R61: replaces and removes grants, pins and sessions, and has them after a restart",
    withStore(async ({ store, reopen }) => {
      await commitAll(
        store,
        change({
          grants: [{ put: grant("a") }, { put: grant("b", { reason: "for now" }) }],
          pins: [{ put: pin("files", "read_file") }, { put: pin("files", "write_file") }],
          sessions: [session("s", { mode: "autonomous", modeUntil: start + 1, modeBy: "ada" })],
        }),
      )
      expect((await store.decisionState()).pins).toHaveLength(2)
      await commitAll(
        store,
        change({
          grants: [{ remove: "a" }, { put: grant("b", { until: start + 9 }) }],
          pins: [{ remove: { server: "files", tool: "read_file" } }, { put: pin("files", "write_file", "second") }],
          sessions: [session("s", { mode: "observe", lifted: [{ tool: "files(write_file)", at: start }] })],
        }),
      )
      const expected = {
        grants: [grant("b", { until: start + 9 })],
        pins: [pin("files", "write_file", "second")],
        sessions: [session("s", { mode: "observe", lifted: [{ tool: "files(write_file)", at: start }] })],
      }
      const before = await store.decisionState()
      expect(before).toMatchObject(expected)
      expect(await (await reopen()).decisionState()).toEqual(before)
    }),
  )
}

function conflict(on: "approval" | "grant" | "epoch", id: string | null): CommitResult {
  return { ok: false, conflict: on, id }
}

async function grants(store: Store): Promise<readonly Grant[]> {
  const state = await store.decisionState()
  return [...state.grants].sort((a, b) => (a.id < b.id ? -1 : 1))
}

async function snapshot(store: Store): Promise<unknown> {
  return {
    state: await store.decisionState(),
    approvals: await store.approvals({ limit: 100 }),
    records: await collect(store.chains()),
    lastEvent: await store.lastEvent(),
    session: await store.session({ principal: "agent", id: "t" }),
  }
}
