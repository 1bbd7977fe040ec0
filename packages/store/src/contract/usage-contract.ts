import type { CallUse, Change, CommitResult, Store, UsageLimits } from "@byleave/core"
import { expect, it } from "vitest"
import type { WithStore } from "./contract-kit.ts"
import { change, commitAll, draft, start } from "./samples.ts"

const minute = 60_000
const day = 24 * 60 * minute

/** A call that policy allowed, by the same agent unless said otherwise. */
function allowed(within: UsageLimits, over: Partial<CallUse> = {}, at = start): Change {
  const use: CallUse = { principal: "agent", session: "s1", isUnasked: true, within, ...over }
  return change({ at, records: [draft("call.allowed", "a", { at })], use, durability: "soon" })
}

const beyond = (usage: object): object => ({
  ok: false,
  conflict: "use",
  id: null,
  usage: expect.objectContaining(usage),
})
const passed = (results: readonly CommitResult[]): number => results.filter(({ ok }) => ok).length

/** Calls that run unasked: counted in the commit, within limits that all processes of the store share. */
export function usageContract(withStore: WithStore, countsAlone: boolean): void {
  it.each<{ name: string; within: UsageLimits; over?: Partial<CallUse>; usage: object; frees: number }>([
    {
      name: "R158: calls of a session, all its life",
      within: { autoAllowedPerSession: 3, autoAllowedPerDay: 99 },
      usage: { autoAllowedInSession: 3 },
      frees: 31 * day,
    },
    {
      name: "R158: calls within a day, in any session",
      within: { autoAllowedPerDay: 3 },
      usage: { autoAllowedInDay: 3 },
      frees: day + day / 8,
    },
    {
      name: "R158: calls within a minute, in any session",
      within: { autoAllowedPerMinute: 3 },
      usage: { autoAllowedInMinute: 3 },
      frees: minute + minute / 8,
    },
    {
      name: "R160: writes within a time, in any session",
      within: { bulk: { writes: 3, withinMs: 10_000 } },
      over: { writeWithinMs: 10_000 },
      usage: { writesInWindow: 3 },
      frees: 12_000,
    },
  ])("counts $name, also at another process and after a restart", ({ within, over = {}, usage, frees }) =>
    withStore(async ({ store, second, reopen }) => {
      const other = countsAlone ? store : await second()
      const inSession = within.autoAllowedPerSession === undefined ? "s2" : "s1"
      const next = allowed(within, { ...over, session: inSession }, start + 2)
      await commitAll(store, allowed(within, over), allowed(within, over, start + 1))
      await commitAll(other, next)
      expect(await store.commit(next)).toEqual(beyond(usage))
      expect(await other.commit(next)).toEqual(beyond(usage))
      await commitAll(other, allowed(within, { ...over, principal: "another" }))
      const again = await reopen()
      expect(await again.commit(next)).toEqual(beyond(usage))
      await commitAll(again, allowed(within, { ...over, session: inSession }, start + frees))
    })(),
  )

  it(
    "R159: a cool-down begins with its call, holds in every session and at every process, and ends",
    withStore(async ({ store, second, reopen }) => {
      const other = countsAlone ? store : await second()
      const within = { coolDown: { after: [], forMs: 5 * minute } }
      await commitAll(store, allowed(within), allowed(within, { coolDownMs: 5 * minute }))
      const usage = { coolDownUntil: start + 5 * minute }
      expect(await store.commit(allowed(within, {}, start + 1))).toEqual(beyond(usage))
      expect(await other.commit(allowed(within, { session: "s2" }, start + 1))).toEqual(beyond(usage))
      await commitAll(other, allowed(within, { principal: "another" }, start + 1))
      const again = await reopen()
      expect(await again.commit(allowed(within, {}, start + 5 * minute - 1))).toEqual(beyond(usage))
      await commitAll(again, allowed(within, {}, start + 5 * minute))
    }),
  )

  it(
    "lets no more pass than the limit, however many come at once at several processes",
    withStore(async ({ store, second }) => {
      const stores: readonly Store[] = countsAlone ? [store] : [store, await second(), await second()]
      const within = { autoAllowedPerSession: 5, autoAllowedPerDay: 8 }
      const commits = stores.flatMap((each) =>
        Array.from({ length: 12 }, (_, n) => each.commit(allowed(within, { session: `s${n % 3}` }))),
      )
      expect(passed(await Promise.all(commits))).toBe(8)
      expect(await store.commit(allowed(within, { session: "s9" }))).toEqual(beyond({ autoAllowedInDay: 8 }))
    }),
  )

  it(
    "writes nothing of a call beyond its limit, and does not count it",
    withStore(async ({ store }) => {
      const within = { autoAllowedPerMinute: 1 }
      const recorded = async (): Promise<number> => (await store.records({ types: ["call.allowed"], limit: 9 })).length
      await commitAll(store, allowed(within))
      for (let n = 0; n < 3; n++)
        expect(await store.commit(allowed(within))).toEqual(beyond({ autoAllowedInMinute: 1 }))
      expect(await recorded()).toBe(1)
      const stale = await store.commit({ ...allowed({ autoAllowedPerMinute: 9 }), epoch: 99 })
      expect(stale).toMatchObject({ conflict: "epoch" })
      expect(await store.commit(allowed(within))).toEqual(beyond({ autoAllowedInMinute: 1 }))
    }),
  )

  it(
    "counts what a person approved, whatever the limits, only as a write and as the start of a cool-down",
    withStore(async ({ store }) => {
      const approved: CallUse = { principal: "agent", writeWithinMs: minute, coolDownMs: minute }
      await commitAll(store, change({ use: approved }), change({ use: approved }), change({ use: approved }))
      expect(await store.commit(allowed({ bulk: { writes: 3, withinMs: minute } }))).toEqual({
        ...beyond({}),
        usage: {
          autoAllowedInSession: 0,
          autoAllowedInDay: 0,
          autoAllowedInMinute: 0,
          writesInWindow: 3,
          coolDownUntil: start + minute,
        },
      })
    }),
  )

  it(
    "frees nothing when time steps back",
    withStore(async ({ store }) => {
      const within = { autoAllowedPerMinute: 2 }
      await commitAll(store, allowed(within), allowed(within, {}, start - day))
      expect(await store.commit(allowed(within, {}, start - 2 * day))).toEqual(beyond({ autoAllowedInMinute: 2 }))
    }),
  )

  it.each(["", "__proto__", "nul\0nul", "high \ud800", '["a","b"]'])("tells the odd name %j from others", (name) =>
    withStore(async ({ store, reopen }) => {
      const within = { autoAllowedPerSession: 1 }
      await commitAll(store, allowed(within, { principal: name, session: name }))
      const again = await reopen()
      expect(await again.commit(allowed(within, { principal: name, session: name }))).toEqual(
        beyond({ autoAllowedInSession: 1 }),
      )
      await commitAll(again, allowed(within, { principal: `${name}.`, session: name }))
    })(),
  )

  it(
    "keeps counting for those who are active while it forgets those who are not",
    withStore(async ({ store, rows }) => {
      const within = { autoAllowedPerSession: 2, autoAllowedPerDay: 2 }
      const at = start + 40 * day
      const by = (n: number) => ({ principal: `agent ${n}`, session: `s${n}` })
      for (let n = 0; n < 15; n++) await commitAll(store, allowed(within, by(n)))
      await commitAll(store, allowed(within, by(0), at))
      for (let n = 15; n < 18; n++) await commitAll(store, allowed(within, by(n), at))
      await store.records({ limit: 1 })
      if (rows !== undefined) expect(await rows()).toEqual({ principals: 4, sessions: 4 })
      await commitAll(store, allowed(within, by(0), at))
      expect(await store.commit(allowed(within, by(0), at))).toEqual(beyond({ autoAllowedInSession: 2 }))
    }),
  )

  it.each([Number.NaN, 0.5, 2 ** 60])("refuses a use with the number %d, before anything is written", (odd) =>
    withStore(async ({ store }) => {
      for (const over of [{ writeWithinMs: odd }, { coolDownMs: odd }]) {
        await expect(store.commit(allowed({}, over))).rejects.toThrow(TypeError)
      }
      expect(await store.records({ types: ["call.allowed"], limit: 9 })).toEqual([])
    })(),
  )
}
