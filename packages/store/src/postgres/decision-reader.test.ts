import { randomUUID } from "node:crypto"
import type { Store } from "@byleave/core"
import { ed25519Signer, newSigningKey, nodeHasher } from "@byleave/core/node"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { change, commitAll, grant, pin, session } from "../contract/samples.ts"
import { statementsFor } from "./commit/statements.ts"
import { everybody } from "./connection-turns.ts"
import { type Connections, openConnections } from "./connections.ts"
import { createDecisionReader } from "./decision-reader.ts"
import { openPostgresStore } from "./open-postgres-store.ts"

const url = process.env.BYLEAVE_TEST_POSTGRES ?? ""

describe.skipIf(url === "")("definitions as decisions read them", () => {
  const schema = `test ${randomUUID()}`
  let store: Store
  let connections: Connections
  beforeAll(async () => {
    store = await openPostgresStore({ url, schema, hasher: nodeHasher, signer: ed25519Signer(newSigningKey()) })
    connections = openConnections(url)
  })
  afterAll(async () => {
    await store.close()
    await connections.close()
    const client = new pg.Client(url)
    await client.connect()
    await client.query(`DROP SCHEMA ${pg.escapeIdentifier(schema)} CASCADE`)
    await client.end()
  })

  it("I1: are read once however many ask together, and again only when they have changed", async () => {
    const asked: string[] = []
    const readers: Array<string | undefined> = []
    const read: Connections["read"] = (statement, values, reader) => {
      asked.push(statement.name)
      if (statement.name === "pins") readers.push(reader)
      return connections.read(statement, values, reader)
    }
    const reader = createDecisionReader(read, statementsFor(pg.escapeIdentifier(schema)), nodeHasher)
    const pinsRead = (): number => asked.filter((name) => name === "pins").length
    await commitAll(store, change({ pins: [{ put: pin("files", "a") }] }))
    const together = await Promise.all(Array.from({ length: 16 }, () => reader.decisionState()))
    expect(together.map(({ pins }) => pins)).toEqual(Array(16).fill([pin("files", "a")]))
    expect(pinsRead()).toBe(1)
    await commitAll(store, change({ grants: [{ put: grant("g") }], sessions: [session("s")] }))
    expect(await reader.decisionState()).toMatchObject({ grants: [grant("g")], pins: [pin("files", "a")] })
    await reader.sessionState(session("s"))
    await reader.grants()
    expect(pinsRead()).toBe(1)
    await commitAll(store, change({ pins: [{ put: pin("files", "b") }] }))
    expect((await reader.decisionState()).pins).toHaveLength(2)
    expect(pinsRead()).toBe(2)
    expect(readers).toEqual([everybody, everybody])
  })
})
