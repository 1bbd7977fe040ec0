import { expect, it } from "vitest"
import { expectLinked } from "./chain-contract.ts"
import type { WithStore } from "./contract-kit.ts"
import { change, collect, commitAll, draft, failed, hold, move, pending, start, succeeded } from "./samples.ts"

/** What retention takes away, and what it must leave. */
export function retentionContract(withStore: WithStore): void {
  it(
    "removes arguments and results of what settled before, and keeps everything else",
    withStore(async ({ store, ports }) => {
      const edited = { args: { path: "a" }, editedArgs: { path: "b" } }
      await commitAll(
        store,
        hold(pending("old", edited), pending("failed"), pending("young"), pending("open", edited)),
        move(succeeded(pending("old", edited), start + 10, { content: ["secret"] })),
        move(failed(pending("failed"), start + 10)),
        move(succeeded(pending("young"), start + 20)),
      )
      const before = await store.approval("old")
      expect(await store.removePayloads(start + 20)).toBeGreaterThan(0)
      expect(await store.approval("old")).toEqual({ ...before, args: null, editedArgs: null, result: null })
      expect(await store.approval("failed")).toMatchObject({ args: null, error: null })
      expect(await store.approval("young")).toMatchObject({ args: { path: "notes.txt" }, result: "done" })
      expect(await store.approval("open")).toMatchObject(edited)
      expect(await store.removePayloads(start + 20)).toBe(0)
      expectLinked(await collect(store.chains()), ports.hasher)
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
