import {
  type AuditRecord,
  emptyChain,
  type Hasher,
  headIsSigned,
  recordHash,
  recordPrefix,
  rosterIsSigned,
  type Store,
  verifyAudit,
} from "@byleave/core"
import { expect, it, vi } from "vitest"
import type { WithStore } from "./contract-kit.ts"
import { change, collect, commitAll, draft, hold, pending, start } from "./samples.ts"

/** The audit chains a store keeps. */
export function chainContract(withStore: WithStore): void {
  it(
    "R145 R149: links records into the writer's chain, in the order of the commits",
    withStore(async ({ store, ports }) => {
      const changes = Array.from({ length: 30 }, (_, index) =>
        change({
          records: [draft("call.allowed", `c${index}`), draft("run.started", `c${index}`, { step: 1 })],
          durability: index % 3 === 0 ? "full" : "soon",
        }),
      )
      await Promise.all(changes.map((each) => store.commit(each)))
      const records = await collect(store.chains())
      expectLinked(records, ports.hasher)
      expect(records.map((record) => record.type).slice(0, 3)).toEqual(["chain.opened", "call.allowed", "run.started"])
      expect(records.slice(1).map((record) => record.subject)).toEqual(
        changes.flatMap((_, index) => [`c${index}`, `c${index}`]),
      )
    }),
  )

  it(
    "opens a chain of its own per connection, anchored in the others and named in the roster",
    withStore(async ({ store, second, reopen, ports }) => {
      await commitAll(store, hold(pending("a")))
      const other = await second()
      await commitAll(other, hold(pending("b")))
      const third = await reopen()
      const records = await collect(third.chains())
      expectLinked(records, ports.hasher)
      const writers = [store.writer, other.writer, third.writer]
      expect(new Set(writers).size).toBe(3)
      expect(new Set(records.map((record) => record.writer))).toEqual(new Set(writers))
      const roster = await third.roster()
      expect(roster && rosterIsSigned(roster, ports.signer)).toBe(true)
      expect(roster?.writers).toEqual([...writers].sort())
      const opening = records.find((record) => record.writer === other.writer && record.seq === 1)
      const anchored = records.find((record) => record.writer === store.writer && record.seq === 2)
      expect(JSON.parse(opening?.text ?? "").body).toMatchObject({
        anchors: [{ writer: store.writer, seq: 2, hash: anchored?.hash }],
        key: ports.signer.keyId,
        version: 1,
      })
    }),
  )

  it(
    "signs each chain's head where the chain stands, at once or shortly after",
    withStore(async ({ store, second, ports }) => {
      const other = await second()
      await commitAll(store, change({ records: [draft("call.allowed", "a")], durability: "soon" }), hold(pending("b")))
      await commitAll(other, hold(pending("c")))
      const records = await collect(store.chains())
      const last = (writer: string): AuditRecord | undefined => records.findLast((record) => record.writer === writer)
      await vi.waitFor(async () => {
        const heads = await other.heads()
        expect(heads.map((head) => head.writer)).toEqual([store.writer, other.writer].sort())
        for (const head of heads) {
          expect(headIsSigned(head, ports.signer)).toBe(true)
          expect(head).toMatchObject({ seq: last(head.writer)?.seq, hash: last(head.writer)?.hash })
        }
      })
      const { signer, hasher } = ports
      expect(await verifyAudit(store, { signer, hasher })).toMatchObject({ problems: [], unsigned: 0, chains: 2 })
    }),
  )

  it(
    "has signed everything once it is closed, also what was to be on disk soon",
    withStore(async ({ store, reopen, ports }) => {
      await commitAll(store, change({ records: [draft("call.allowed", "a")], durability: "soon" }))
      const again = await reopen()
      const last = (await collect(again.chains())).filter((record) => record.writer === store.writer).at(-1)
      const head = (await again.heads()).find((each) => each.writer === store.writer)
      expect(head && headIsSigned(head, ports.signer)).toBe(true)
      expect(head).toMatchObject({ seq: last?.seq, hash: last?.hash })
    }),
  )

  it(
    "R148: lists records newest first, by type and subject, with their payloads",
    withStore(async ({ store }) => {
      await commitAll(
        store,
        change({
          records: [
            draft("call.asked", "a", { at: start + 1, payload: '{"path":"x"}' }),
            draft("approval.denied", "a", { at: start + 3, step: 2 }),
            draft("call.allowed", "b", { at: start + 2 }),
          ],
        }),
      )
      const listed = async (query: Partial<Parameters<Store["records"]>[0]>): Promise<readonly string[]> =>
        (await store.records({ limit: 10, ...query })).map((record) => `${record.type} ${record.subject}`)
      expect(await listed({})).toEqual(["approval.denied a", "call.allowed b", "call.asked a", "chain.opened null"])
      expect(await listed({ subject: "a" })).toEqual(["approval.denied a", "call.asked a"])
      expect(await listed({ types: ["call.asked", "call.allowed"] })).toEqual(["call.allowed b", "call.asked a"])
      expect(await listed({ types: ["call.asked", "approval.denied"], subject: "a", limit: 1 })).toEqual([
        "approval.denied a",
      ])
      expect(await listed({ types: [] })).toEqual([])
      expect((await store.records({ limit: 9, subject: "a" })).map((record) => record.payload)).toEqual([
        null,
        '{"path":"x"}',
      ])
    }),
  )

  it(
    "R148: lists the records of several calls at once, without payloads where nobody wants them",
    withStore(async ({ store }) => {
      const odd = 'it"s \\ud800 \ud800 \0'
      const payload = '{"path":"x"}'
      await commitAll(
        store,
        change({
          records: [
            draft("call.allowed", "a", { at: start + 1, payload }),
            draft("call.allowed", odd, { at: start + 2, payload }),
            draft("call.allowed", "c", { at: start + 3, payload }),
            draft("run.succeeded", "a", { at: start + 4, step: 1, payload }),
          ],
        }),
      )
      const found = await store.records({ subjects: ["a", odd, "nobody"], limit: 10, payloads: false })
      expect(found.map(({ type, subject, payload: kept }) => [type, subject, kept])).toEqual([
        ["run.succeeded", "a", null],
        ["call.allowed", odd, null],
        ["call.allowed", "a", null],
      ])
      const started = await store.records({ subjects: ["a", "c"], types: ["call.allowed"], limit: 10 })
      expect(started.map(({ subject, payload: kept }) => [subject, kept])).toEqual([
        ["c", payload],
        ["a", payload],
      ])
      expect(await store.records({ subjects: [], limit: 10 })).toEqual([])
    }),
  )

  it(
    "gives payloads up to a length, and tells how long each is, in bytes",
    withStore(async ({ store }) => {
      const payloads = ['"x"', '"€€"', '"\u{1F600}"', JSON.stringify("x".repeat(100_000))]
      await commitAll(
        store,
        change({
          records: [
            ...payloads.map((payload, at) => draft("call.allowed", `p${at}`, { at: start + at, payload })),
            draft("call.allowed", "bare", { at: start + 9 }),
          ],
        }),
      )
      const subjects = ["p0", "p1", "p2", "p3", "bare"]
      const read = async (query: Partial<Parameters<Store["records"]>[0]>) =>
        (await store.records({ subjects, limit: 10, ...query })).map(({ payload, payloadBytes }) => [
          payload?.length ?? null,
          payloadBytes,
        ])
      expect(await read({})).toEqual([
        [null, null],
        [100_002, 100_002],
        [4, 6],
        [4, 8],
        [3, 3],
      ])
      expect(await read({ payloads: false })).toEqual([
        [null, null],
        [null, 100_002],
        [null, 6],
        [null, 8],
        [null, 3],
      ])
      const upToSix = [
        [null, null],
        [null, 100_002],
        [4, 6],
        [null, 8],
        [3, 3],
      ]
      expect(await read({ payloads: { upTo: 6 } })).toEqual(upToSix)
      const byType = await store.records({ types: ["call.allowed"], payloads: { upTo: 6 }, limit: 10 })
      expect(byType.map(({ payload, payloadBytes }) => [payload?.length ?? null, payloadBytes])).toEqual(upToSix)
    }),
  )

  it(
    "pages through records of equal time without losing or repeating one",
    withStore(async ({ store, second }) => {
      const other = await second()
      for (const each of [store, other]) {
        await commitAll(
          each,
          change({ records: Array.from({ length: 11 }, (_, index) => draft("call.allowed", `c${index}`)) }),
        )
      }
      const seen: string[] = []
      let after: AuditRecord | undefined
      for (;;) {
        const page = await store.records({ limit: 4, ...(after === undefined ? {} : { after }) })
        seen.push(...page.map((record) => `${record.writer} ${record.seq}`))
        after = page.at(-1)
        if (after === undefined) break
      }
      expect(seen).toHaveLength(24)
      expect(new Set(seen).size).toBe(24)
    }),
  )

  it(
    "gives life cycles by subject and step, whoever wrote them, in batches",
    withStore(async ({ store, second }) => {
      const other = await second()
      const subjects = Array.from({ length: 1_500 }, (_, index) => `s${String(index).padStart(5, "0")}`)
      await commitAll(other, change({ records: subjects.map((subject) => draft("run.started", subject, { step: 3 })) }))
      await commitAll(store, change({ records: subjects.map((subject) => draft("call.asked", subject)) }))
      const pages: number[] = []
      const steps: string[] = []
      for await (const page of store.lifeCycles()) {
        pages.push(page.length)
        steps.push(...page.map(({ subject, step, type }) => `${subject} ${step} ${type}`))
      }
      expect(steps).toEqual(subjects.flatMap((subject) => [`${subject} 0 call.asked`, `${subject} 3 run.started`]))
      expect(pages.length).toBeGreaterThan(1)
    }),
  )

  it(
    "knows which writers are alive",
    withStore(async ({ store, second }) => {
      const other = await second()
      await store.stayAlive(start + 100)
      await other.stayAlive(start + 50)
      expect([...(await store.alive(start + 49))].sort()).toEqual([store.writer, other.writer].sort())
      expect(await other.alive(start + 50)).toEqual([store.writer])
      await other.stayAlive(start + 200)
      expect(await store.alive(start + 150)).toEqual([other.writer])
    }),
  )
}

/** Fails unless each chain counts up from 1 and every record follows the one before. */
export function expectLinked(records: readonly AuditRecord[], hasher: Hasher): void {
  const heads = new Map<string, { seq: number; hash: string }>()
  for (const record of records) {
    const before = heads.get(record.writer) ?? emptyChain(record.writer)
    expect(record.seq).toBe(before.seq + 1)
    expect(record.text.startsWith(recordPrefix(record))).toBe(true)
    expect(record.hash).toBe(recordHash(before.hash, record.text, hasher))
    heads.set(record.writer, record)
  }
}
