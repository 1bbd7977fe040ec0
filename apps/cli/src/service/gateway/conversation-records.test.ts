import { ed25519Signer, newId, newSigningKey, nodeHasher } from "@byleave/core/node"
import { newMemoryDatabase, openMemoryStore } from "@byleave/store"
import { expect, it } from "vitest"
import { createConversationRecords } from "./conversation-records.ts"
import { createDocuments } from "./documents.ts"

const hour = 60 * 60_000
const record = {
  id: "c1",
  principal: "agent",
  path: "/mcp",
  version: "2025-11-25",
  client: null,
  abilities: {},
  createdAt: 0,
}

/** Two replicas of one store, with a clock of their own. */
function twoBooks() {
  let time = 1_000_000
  const now = () => time
  const database = newMemoryDatabase()
  const signer = ed25519Signer(newSigningKey())
  const open = () => {
    const store = openMemoryStore({ hasher: nodeHasher, signer, newId, now, database, elapsed: now })
    const fail = (trouble: unknown): never => {
      throw trouble
    }
    return createConversationRecords(createDocuments(store, now), store, now, fail)
  }
  return { one: open(), two: open(), pass: (ms: number) => (time += ms) }
}

it("is known at every replica, and gone at every replica once removed", async () => {
  const { one, two } = twoBooks()
  await one.put(record)
  expect(await two.get("c1")).toEqual(record)
  await one.remove("c1")
  await expect.poll(() => two.get("c1")).toBeUndefined()
  expect(await one.get("c1")).toBeUndefined()
})

it("lives a day after its last use, wherever that was", async () => {
  const { one, two, pass } = twoBooks()
  await one.put(record)
  pass(20 * hour)
  expect(await one.get("c1")).toEqual(record)
  pass(20 * hour)
  expect(await two.get("c1")).toEqual(record)
  pass(25 * hour)
  expect(await two.get("c1")).toBeUndefined()
})
