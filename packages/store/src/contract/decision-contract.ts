import type { Store } from "@byleave/core"
import { expect, it } from "vitest"
import type { WithStore } from "./contract-kit.ts"
import { change, commitAll, grant, pin, session, start } from "./samples.ts"

/** What decisions, and changes of one session, are read by. */
export function decisionContract(withStore: WithStore): void {
  it(
    "gives decisions the sessions they can rest on, and keeps the others",
    withStore(async ({ store }) => {
      const lifted = [{ tool: "files(write_file)", at: start }]
      const refused = ["files(write_file)"]
      const deciding = [session("a", { mode: "unattended" }), session("b", { lifted }), session("d", { refused })]
      const ended = session("c", { refused, endedAt: start + 1 })
      await commitAll(store, change({ sessions: [...deciding, ended] }))
      const asked = session("e", { mode: "ask", modeBy: "ada" })
      await commitAll(store, change({ sessions: [asked] }))
      const found = async () => (await store.decisionState()).sessions.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      expect(await found()).toEqual(deciding)
      expect(await store.session(ended)).toEqual(ended)
      await commitAll(store, change({ sessions: [session("a", { endedAt: start + 2 }), session("b")] }))
      expect(await found()).toEqual(deciding.slice(2))
    }),
  )

  it(
    "gives a session's own record and grants at the epoch they are read at, and nobody else's",
    withStore(async ({ store, reopen }) => {
      const own = { principal: "agent", id: 'a "b"\0' }
      const grants = [
        grant("own", { session: own, usesLeft: 2 }),
        grant("other", { session: { principal: "agent", id: "b" } }),
        grant("elsewhere", { session: { principal: "other", id: own.id } }),
        grant("always"),
      ]
      expect(await store.sessionState(own)).toEqual({ epoch: 0, record: undefined, grants: [] })
      const record = session(own.id, { mode: "observe", since: start + 3 })
      await commitAll(store, change({ grants: grants.map((put) => ({ put })), sessions: [record, session("b")] }))
      await commitAll(store, change({ grantUses: [{ grant: "own", counted: true }], at: start + 5 }))
      const used = grant("own", { session: own, usesLeft: 1, timesUsed: 1, lastUsedAt: start + 5 })
      const again = await reopen()
      expect(await again.sessionState(own)).toEqual({ epoch: 1, record, grants: [used] })
      expect((await again.grants()).map(({ id }) => id).toSorted()).toEqual(["always", "elsewhere", "other", "own"])
      await commitAll(again, change({ grants: [{ put: grant("own") }] }))
      expect(await again.sessionState(own)).toEqual({ epoch: 2, record, grants: [] })
    }),
  )

  it(
    "gives every process the definitions of the epoch it reads at, whoever changed them",
    withStore(async ({ store, second }) => {
      const other = await second()
      const toolsAt = async (each: Store): Promise<readonly string[]> =>
        (await each.decisionState()).pins.map(({ tool }) => tool).toSorted()
      for (const each of [store, other]) expect(await toolsAt(each)).toEqual([])
      await commitAll(store, change({ pins: [{ put: pin("files", "a") }, { put: pin("files", "b") }] }))
      for (const each of [other, store]) expect(await toolsAt(each)).toEqual(["a", "b"])
      await commitAll(other, change({ pins: [{ remove: { server: "files", tool: "a" } }] }), change({ grants: [] }))
      const together = await Promise.all([store, other, store, other].map(toolsAt))
      expect(together).toEqual(Array(4).fill(["b"]))
    }),
  )
}
