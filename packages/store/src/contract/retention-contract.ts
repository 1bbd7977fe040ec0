import { expect, it, vi } from "vitest"
import { expectLinked } from "./chain-contract.ts"
import type { WithStore } from "./contract-kit.ts"
import {
  change,
  collect,
  commitAll,
  draft,
  failed,
  hold,
  ids,
  move,
  pending,
  session,
  start,
  succeeded,
} from "./samples.ts"

const patience = { timeout: 10_000, interval: 5 }

/** The data that retention removes, and the data it must keep. */
export function retentionContract(withStore: WithStore): void {
  it(
    "removes arguments and results of what settled before, and keeps everything else",
    withStore(async ({ store, ports }) => {
      const edited = { args: { path: "a" }, editedArgs: { path: "b" }, runDigest: "digest of the edit" }
      await commitAll(
        store,
        hold(pending("old", edited), pending("failed"), pending("young"), pending("open", edited)),
        move(succeeded(pending("old", edited), start + 10, { content: ["secret"] })),
        move(failed(pending("failed"), start + 10)),
        move(succeeded(pending("young"), start + 20)),
      )
      const before = await store.approval("old")
      expect(await store.removePayloads(start + 20)).toBeGreaterThan(0)
      const { callDigest, runDigest, ...bare } = (await store.approval("old")) ?? pending("gone")
      const { callDigest: _, runDigest: __, ...kept } = before ?? pending("gone")
      expect(bare).toEqual({ ...kept, version: 3, args: null, editedArgs: null, result: null })
      expect(callDigest).not.toBe(runDigest)
      expect(await store.approval("failed")).toMatchObject({ args: null, error: null })
      expect(await store.approval("young")).toMatchObject({ args: { path: "notes.txt" }, result: "done" })
      expect(await store.approval("open")).toMatchObject(edited)
      expect(await store.removePayloads(start + 20)).toBe(0)
      expectLinked(await collect(store.chains()), ports.hasher)
    }),
  )

  it(
    "leaves no digest by which removed arguments could be guessed, and still tells what was edited",
    withStore(async ({ store, ports, reopen }) => {
      const digest = ports.hasher.sha256('{"pin":"4711"}')
      const votes = [{ reviewer: "ada", groups: [], kind: "approve", digest, at: start }] as const
      const call = pending("a", { args: { pin: "4711" }, callDigest: digest, runDigest: digest })
      await commitAll(store, hold(call), move({ ...succeeded(call, start + 1), votes }))
      await store.removePayloads(start + 2)
      const again = await reopen()
      const found = (await again.approval("a")) ?? call
      expect(JSON.stringify(found)).not.toContain(digest)
      expect(found.callDigest).toMatch(/^[0-9a-f]{64}$/)
      expect(found.runDigest).toBe(found.callDigest)
      expect(found.votes).toEqual([{ ...votes[0], digest: found.callDigest }])
      const key = { principal: "agent", session: "session", server: "files", tool: "write_file" }
      expect(await again.identical({ ...key, callDigest: digest }, start)).toEqual([])
      expect(await ids(again.identical({ ...key, callDigest: found.callDigest }, start))).toEqual(["a"])
    }),
  )

  it(
    "lets nobody who read an approval before write its arguments back",
    withStore(async ({ store, second }) => {
      const other = await second()
      const settled = succeeded(pending("a"), start + 1)
      await commitAll(store, hold(pending("a")), move(settled))
      await store.removePayloads(start + 2)
      const delivered = move({ ...settled, version: settled.version + 1, delivered: true })
      for (const each of [store, other]) {
        expect(await each.commit(delivered)).toEqual({ ok: false, conflict: "approval", id: "a" })
      }
      expect(await store.approval("a")).toMatchObject({ version: 3, args: null, result: null })
      await commitAll(other, move({ ...settled, version: 4, args: null, result: null, delivered: true }))
    }),
  )

  it(
    "removes old events but never the newest, whose number the next one follows",
    withStore(async ({ store, second, reopen }) => {
      const other = await second()
      const told: number[] = []
      other.subscribe((event) => told.push(event.seq))
      const at = (time: number, ...subjects: readonly string[]) =>
        change({ at: start + time, events: subjects.map((subject) => ({ type: "grant.changed", subject }) as const) })
      await commitAll(store, at(1, "a", "b"), at(9, "c"), at(2, "d"), at(1, "e"))
      await vi.waitFor(() => expect(told).toHaveLength(5), patience)
      await store.removePayloads(start + 5)
      expect((await other.events(0, 10)).map(({ seq, subject }) => `${seq} ${subject}`)).toEqual(["3 c", "5 e"])
      expect((await store.events(3, 10)).map(({ seq }) => seq)).toEqual([5])
      await commitAll(store, at(20, "f"))
      await vi.waitFor(() => expect(told).toEqual([1, 2, 3, 4, 5, 6]), patience)
      await store.removePayloads(start + 30)
      const again = await reopen()
      expect(await again.lastEvent()).toBe(6)
      await commitAll(again, at(31, "g"))
      expect((await again.events(0, 10)).map(({ seq, subject }) => `${seq} ${subject}`)).toEqual(["6 f", "7 g"])
    }),
  )

  it(
    "removes the records of sessions that ended before, and keeps those that decide or ended later",
    withStore(async ({ store, reopen }) => {
      const old = session("old", { endedAt: start + 1 })
      const kept = [session("young", { endedAt: start + 9 }), session("open"), session("mode", { mode: "observe" })]
      await commitAll(store, change({ sessions: [old, ...kept] }))
      const { epoch } = await store.decisionState()
      expect(await store.removePayloads(start + 9)).toBe(0)
      const again = await reopen()
      expect(await again.session(old)).toBeUndefined()
      for (const each of kept) expect(await again.session(each)).toEqual(each)
      expect((await again.decisionState()).epoch).toBe(epoch)
    }),
  )

  it(
    "removes recorded payloads and says so in the chain, which stays verifiable",
    withStore(async ({ store, ports, reopen }) => {
      await commitAll(
        store,
        hold(pending("open"), pending("settled")),
        move(succeeded(pending("settled"), start + 1)),
        change({
          records: [
            draft("call.asked", "open", { payload: '"open"' }),
            draft("call.asked", "settled", { payload: '"settled"' }),
            draft("call.allowed", "allowed", { payload: '"allowed"' }),
            draft("policy.changed", null, { payload: '"policy"' }),
            draft("call.allowed", "later", { at: start + 5, payload: '"later"' }),
          ],
        }),
      )
      const texts = (await collect(store.chains())).map((record) => record.text)
      await store.removePayloads(start + 5)
      const again = await reopen()
      const kept = (await again.records({ limit: 50 })).flatMap((record) => record.payload ?? [])
      expect([...kept].sort()).toEqual(['"later"', '"open"'])
      const records = await collect(again.chains())
      expectLinked(records, ports.hasher)
      const own = records.filter((record) => record.writer === store.writer)
      expect(own.slice(0, texts.length).map((record) => record.text)).toEqual(texts)
      expect(own.map((record) => record.type)).toContain("payloads.removed")
    }),
  )
}
