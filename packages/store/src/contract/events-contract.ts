import { type Store, StoreError, type StoreEvent } from "@byleave/core"
import { expect, it, vi } from "vitest"
import type { WithStore } from "./contract-kit.ts"
import { change, commitAll, hold, pending, start } from "./samples.ts"

const patience = { timeout: 10_000, interval: 5 }

/** The delivery of events to listeners, and the end of listening. */
export function eventsContract(withStore: WithStore): void {
  it(
    "tells every listener every event once and in order, also from another connection",
    withStore(async ({ store, second }) => {
      await commitAll(store, hold(pending("before")))
      const other = await second()
      const listening = [store, other].map((each) => ({ each, told: listen(each) }))
      await Promise.all(
        Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? store : other).commit(hold(pending(`e${index}`)))),
      )
      const all = await store.events(0, 1_000)
      const expected = all.slice(1)
      expect(new Set(expected.map((event) => event.subject)).size).toBe(60)
      for (const { told } of listening) await vi.waitFor(() => expect(told).toHaveLength(60), patience)
      for (const { told } of listening) expect(told).toEqual(expected)
    }),
  )

  it(
    "reads events again by number",
    withStore(async ({ store, reopen }) => {
      expect(await store.lastEvent()).toBe(0)
      await commitAll(
        store,
        change({
          at: start + 7,
          events: [
            { type: "grant.changed", subject: "g" },
            { type: "mode.changed", subject: "s" },
          ],
        }),
        hold(pending("a")),
      )
      const again = await reopen()
      const last = await again.lastEvent()
      const all = await again.events(0, 10)
      expect(all.map(({ type, subject }) => ({ type, subject }))).toEqual([
        { type: "grant.changed", subject: "g" },
        { type: "mode.changed", subject: "s" },
        { type: "approval.pending", subject: "a" },
      ])
      expect(all.at(-1)?.seq).toBe(last)
      expect(all.map((event) => event.at)).toEqual([start + 7, start + 7, start])
      expect(await again.events(all[0]?.seq ?? 0, 1)).toEqual([all[1]])
      expect(await again.events(last, 10)).toEqual([])
    }),
  )

  it(
    "tells no more once stopped, and starts late listeners at now",
    withStore(async ({ store }) => {
      const early: StoreEvent[] = []
      const stop = store.subscribe((event) => early.push(event))
      await commitAll(store, hold(pending("a")))
      const late = listen(store)
      await vi.waitFor(() => expect(early).toHaveLength(1), patience)
      stop()
      stop()
      await commitAll(store, hold(pending("b")))
      await vi.waitFor(() => expect(late).toHaveLength(1), patience)
      expect(late.map((event) => event.subject)).toEqual(["b"])
      expect(early.map((event) => event.subject)).toEqual(["a"])
    }),
  )

  it(
    "goes on when a listener throws",
    withStore(async ({ store }) => {
      store.subscribe(() => {
        throw new Error("a listener's own fault")
      })
      const told = listen(store)
      await commitAll(store, hold(pending("a")), hold(pending("b")))
      await vi.waitFor(() => expect(told.map((event) => event.subject)).toEqual(["a", "b"]), patience)
    }),
  )

  it(
    "keeps the order when a listener commits by itself",
    withStore(async ({ store }) => {
      store.subscribe((event) => {
        if (event.subject === "a") void store.commit(hold(pending("b")))
      })
      const told = listen(store)
      await commitAll(store, hold(pending("a")))
      await vi.waitFor(() => expect(told.map((event) => event.subject)).toEqual(["a", "b"]), patience)
    }),
  )

  it(
    "never gives a time before what it has recorded, also after a restart with a clock that stepped back",
    withStore(async ({ store, reopen, second, clock }) => {
      expect(store.now(start + 5)).toBeGreaterThanOrEqual(start + 5)
      await commitAll(store, change({ at: start + 10_000 }))
      expect(store.now(start)).toBeGreaterThanOrEqual(start + 10_000)
      clock.now = start - 1_000_000
      const other = await second()
      expect(other.now(clock.now)).toBeGreaterThanOrEqual(start + 10_000)
      await commitAll(other, hold(pending("a", { createdAt: start + 20_000 })))
      const again = await reopen()
      expect(again.now(clock.now)).toBeGreaterThanOrEqual(start + 20_000)
    }),
  )

  it(
    "goes on with the time that passes while the clock is behind what it has recorded",
    withStore(async ({ store, reopen, clock }) => {
      await commitAll(store, change({ at: start + 10_000 }))
      const recorded = store.now(start)
      expect(recorded).toBe(start + 10_000)
      clock.elapsed += 60_000.7
      expect(store.now(start)).toBe(recorded + 60_000)
      await commitAll(store, change({ at: start + 10_001 }))
      expect(store.now(start)).toBe(recorded + 60_000)
      await commitAll(store, change({ at: store.now(start) }))
      clock.elapsed += 500
      expect(store.now(start)).toBeGreaterThanOrEqual(recorded + 60_500)
      expect(store.now(start + 9_000_000)).toBeGreaterThanOrEqual(start + 9_000_000)
      const again = await reopen()
      const reopened = again.now(start)
      expect(reopened).toBeGreaterThanOrEqual(recorded + 60_000)
      clock.elapsed += 1_000
      expect(again.now(start)).toBe(reopened + 1_000)
    }),
  )

  it(
    "commits what was handed in before it closed",
    withStore(async ({ store, reopen }) => {
      const results = [store.commit(hold(pending("a"))), store.commit(hold(pending("b")))]
      const again = await reopen()
      expect((await Promise.all(results)).map((result) => result.ok)).toEqual([true, true])
      expect(await again.approval("b")).toBeDefined()
    }),
  )

  it(
    "refuses every call once closed",
    withStore(async ({ store }) => {
      await store.close()
      await store.close()
      const calls: ReadonlyArray<() => unknown> = [
        () => store.commit(change()),
        () => store.decisionState(),
        () => store.approval("a"),
        () => store.approvals({ limit: 1 }),
        () => store.countApprovals({}),
        () => store.identical({ principal: "", session: "", server: "", tool: "", callDigest: "" }, 0),
        () => store.due(start, 1),
        () => store.session({ principal: "", id: "" }),
        () => store.stayAlive(start),
        () => store.alive(start),
        () => store.records({ limit: 1 }),
        () => store.chains()[Symbol.asyncIterator]().next(),
        () => store.lifeCycles()[Symbol.asyncIterator]().next(),
        () => store.heads(),
        () => store.roster(),
        () => store.events(0, 1),
        () => store.lastEvent(),
        () => store.subscribe(() => undefined),
        () => store.removePayloads(start),
      ]
      for (const call of calls) {
        const refusal = await Promise.resolve()
          .then(call)
          .catch((error: unknown) => error)
        expect(refusal, String(call)).toBeInstanceOf(StoreError)
        expect(refusal, String(call)).toMatchObject({ code: "closed" })
      }
    }),
  )
}

function listen(store: Store): StoreEvent[] {
  const told: StoreEvent[] = []
  store.subscribe((event) => told.push(event))
  return told
}
