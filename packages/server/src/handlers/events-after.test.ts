import { ed25519Signer, newSigningKey, nodeHasher } from "@byleave/core/node"
import { openMemoryStore } from "@byleave/store"
import { expect, it } from "vitest"
import { eventsAfter } from "./events-after.ts"

it("tells each event once, in order, when others commit before, between and after the pages of history", async () => {
  const signer = ed25519Signer(newSigningKey())
  const store = openMemoryStore({ hasher: nodeHasher, signer, newId: () => "w", now: () => 1, elapsed: () => 0 })
  const happen = async (): Promise<void> => {
    const events = [{ type: "grant.changed", subject: "g" }] as const
    await store.commit({ at: 1, records: [], events, durability: "full" })
  }
  for (let at = 0; at < 1_200; at++) await happen()
  const busy = {
    ...store,
    events: async (after: number, limit: number) => {
      await happen()
      const page = await store.events(after, limit)
      await happen()
      return page
    },
  }
  const told: number[] = []
  const ended = new AbortController()
  await eventsAfter(busy, 0, ended.signal, ({ type, seq }) => {
    if (type === "grant.changed") told.push(seq)
  })
  await happen()
  ended.abort()
  const all = (await store.events(0, 10_000)).map(({ seq }) => seq)
  expect(told).toEqual(all)
  await happen()
  expect(told).toHaveLength(all.length)
  await store.close()
})
