import type { Change, StoredDocument } from "@byleave/core"
import { expect, it } from "vitest"
import type { WithStore } from "./contract-kit.ts"
import { change, commitAll, document, draft, ids, start } from "./samples.ts"

/** Small documents, each at a version, some with an end. */
export function documentContract(withStore: WithStore): void {
  it(
    "keeps documents by kind and id, replaces and removes them, and has them after a restart",
    withStore(async ({ store, reopen }) => {
      const key = document("key", "ada", { value: { odd: "\0 \ud800", list: [1, null], none: {} } })
      await commitAll(store, put(document("reviewer", "ada")), put(key), put(document("reviewer", "bob")))
      const second = document("reviewer", "ada", { version: 2, value: { pin: "hash" } })
      await commitAll(store, put(second), remove("reviewer", "bob", 1), remove("reviewer", "nobody", null))
      const again = await reopen()
      for (const id of ["bob", "nobody"]) expect(await again.document("reviewer", id, start)).toBeUndefined()
      expect(await again.document("reviewer", "ada", start)).toEqual(second)
      expect(await again.document("key", "ada", start)).toEqual(key)
    }),
  )

  it(
    "is a conflict when the document is already there, not there, or at another version",
    withStore(async ({ store, second }) => {
      const other = await second()
      const ada = document("reviewer", "ada", { version: 2 })
      await commitAll(store, put(document("reviewer", "ada")), put(ada))
      const late = [
        put(document("reviewer", "ada")),
        put(ada),
        put(document("reviewer", "ada", { version: 4 })),
        remove("reviewer", "ada", 1),
      ]
      for (const each of late) expect(await other.commit(each)).toEqual(conflict("ada"))
      expect(await other.commit(put(document("reviewer", "bob", { version: 2 })))).toEqual(conflict("bob"))
      expect(await other.commit(remove("reviewer", "bob", 1))).toEqual(conflict("bob"))
      expect(await store.documents("reviewer", { limit: 9, now: start })).toEqual([ada])
      await commitAll(other, remove("reviewer", "ada", 2), put(document("reviewer", "ada")))
      await commitAll(store, remove("reviewer", "ada", null))
      expect(await other.document("reviewer", "ada", start)).toBeUndefined()
    }),
  )

  it(
    "writes nothing of a change with a document that conflicts, and no document of one that conflicts elsewhere",
    withStore(async ({ store }) => {
      await commitAll(store, put(document("token", "a")))
      const both = change({
        documents: [
          { put: document("token", "b"), replaces: null },
          { put: document("token", "a"), replaces: null },
        ],
        records: [draft("access.changed", null)],
        events: [{ type: "access.changed", subject: "token/b" }],
      })
      expect(await store.commit(both)).toEqual(conflict("a"))
      expect(await store.commit({ ...put(document("token", "c")), epoch: 99 })).toMatchObject({ conflict: "epoch" })
      expect(await ids(store.documents("token", { limit: 9, now: start }))).toEqual(["a"])
      expect(await store.records({ types: ["access.changed"], limit: 9 })).toEqual([])
      expect(await store.lastEvent()).toBe(0)
    }),
  )

  it(
    "lets one of many racing changes of a document win, over two connections",
    withStore(async ({ store, second }) => {
      const other = await second()
      const race = async (version: number, expiresAt: number | null): Promise<void> => {
        const rivals = Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? store : other).commit(
            put(document("sign-in", "link", { version, expiresAt, value: { by: index } }), start + 9),
          ),
        )
        const results = await Promise.all(rivals)
        expect(results.filter((result) => result.ok)).toHaveLength(1)
        for (const result of results) if (!result.ok) expect(result).toEqual(conflict("link"))
        const value = { by: results.findIndex((result) => result.ok) }
        for (const each of [store, other]) {
          expect(await each.document("sign-in", "link", start)).toMatchObject({ version, value })
        }
      }
      await race(1, null)
      await race(2, start + 10)
      await commitAll(store, remove("sign-in", "link", 2), put(document("sign-in", "link", { expiresAt: start + 9 })))
      await race(1, null)
    }),
  )

  it(
    "knows no document from its end on, and lets another take its place",
    withStore(async ({ store, second }) => {
      const other = await second()
      const link = document("sign-in", "link", { expiresAt: start + 10 })
      await commitAll(store, put(link))
      expect(await other.document("sign-in", "link", start + 9)).toEqual(link)
      expect(await other.document("sign-in", "link", start + 10)).toBeUndefined()
      expect(await other.documents("sign-in", { limit: 9, now: start + 10 })).toEqual([])
      expect(await other.commit(put(document("sign-in", "link"), start + 9))).toEqual(conflict("link"))
      const late = put(document("sign-in", "link", { version: 2 }), start + 10)
      expect(await other.commit(late)).toEqual(conflict("link"))
      expect(await other.commit(remove("sign-in", "link", 1, start + 10))).toEqual(conflict("link"))
      const fresh = document("sign-in", "link", { value: { fresh: true } })
      await commitAll(other, put(fresh, start + 10))
      expect(await store.document("sign-in", "link", start + 10)).toEqual(fresh)
    }),
  )

  it(
    "gives the documents of a kind page by page, by id",
    withStore(async ({ store }) => {
      const names = ["b", "a", "d", "c", 'x"y\\z']
      await commitAll(store, ...names.map((id) => put(document("token", id))), put(document("task", "aa")))
      await commitAll(store, put(document("token", "bb", { expiresAt: start })))
      const page = (limit: number, after?: string) =>
        ids(store.documents("token", { limit, now: start, ...(after === undefined ? {} : { after }) }))
      expect(await page(2)).toEqual(["a", "b"])
      expect(await page(2, "b")).toEqual(["c", "d"])
      expect(await page(2, "d")).toEqual(['x"y\\z'])
      expect(await page(2, 'x"y\\z')).toEqual([])
      expect(await ids(store.documents("device", { limit: 2, now: start }))).toEqual([])
    }),
  )

  it(
    "refuses a document whose version does not follow, or whose numbers are not whole",
    withStore(async ({ store }) => {
      const odd: ReadonlyArray<NonNullable<Change["documents"]>> = [
        [{ put: document("token", "a", { version: 2 }), replaces: null }],
        [{ put: document("token", "a", { version: 3 }), replaces: 1 }],
        [{ put: document("token", "a", { version: 2 }), replaces: 2 }],
        [{ put: document("token", "a", { version: Number.NaN }), replaces: Number.NaN }],
        [{ put: document("token", "a", { expiresAt: start + 0.5 }), replaces: null }],
        [{ remove: { kind: "token", id: "a" }, replaces: 0.5 }],
      ]
      for (const documents of odd) await expect(store.commit(change({ documents }))).rejects.toThrow(TypeError)
      expect(await store.documents("token", { limit: 9, now: start })).toEqual([])
    }),
  )

  it(
    "leaves the epoch where it is, and tells of it",
    withStore(async ({ store }) => {
      const { epoch } = await store.decisionState()
      const events = [
        { type: "document.changed", subject: "policy/main" },
        { type: "server.changed", subject: "files" },
      ] as const
      const told = { ...put(document("policy", "main")), events }
      expect(await store.commit(told)).toEqual({ ok: true, epoch })
      expect(await store.events(0, 9)).toMatchObject(events)
    }),
  )

  it(
    "removes documents that expired before then, and no others",
    withStore(async ({ store }) => {
      const ends = { old: start + 1, young: start + 5, lasting: null }
      for (const [id, expiresAt] of Object.entries(ends))
        await commitAll(store, put(document("task", id, { expiresAt })))
      expect(await store.removePayloads(start + 5)).toBe(0)
      expect(await ids(store.documents("task", { limit: 9, now: 0 }))).toEqual(["lasting", "young"])
      await commitAll(store, put(document("task", "old")))
    }),
  )
}

function put(next: StoredDocument, at = start): Change {
  return change({ at, documents: [{ put: next, replaces: next.version === 1 ? null : next.version - 1 }] })
}

function remove(kind: string, id: string, replaces: number | null, at = start): Change {
  return change({ at, documents: [{ remove: { kind, id }, replaces }] })
}

function conflict(id: string) {
  return { ok: false, conflict: "document", id }
}
