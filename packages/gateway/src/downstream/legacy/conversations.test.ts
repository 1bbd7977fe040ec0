import { afterEach, describe, expect, it } from "vitest"
import type { Backend } from "../../wire/exchange.ts"
import type { ConversationRecord } from "../../wire/ports.ts"
import { keepingSealer } from "../fixtures/front-server.ts"
import { createParrot } from "../fixtures/parrot-backend.ts"
import { makeExchange } from "../make-exchange.ts"
import { liveOf } from "./conversation.ts"
import { type Conversations, createConversations } from "./conversations.ts"
import { newEventLog } from "./event-log.ts"

const ann = { principal: { id: "ann" }, namesSessions: false }
const bob = { principal: { id: "bob" }, namesSessions: false }
const record: ConversationRecord = {
  id: "c1",
  principal: "ann",
  path: "/mcp",
  version: "2025-11-25",
  client: null,
  abilities: {},
  createdAt: 0,
}

const opened: Conversations[] = []
afterEach(() => {
  for (const conversations of opened.splice(0)) conversations.close()
})

/** A process of several that share one book and one clock. */
function open(kept: Map<string, ConversationRecord>, clock: { now: number }, most = 1_000): Conversations {
  const made = createConversations({
    sealer: keepingSealer(),
    times: { keepAliveMs: 1_000, parkedMs: 1_000, idleConversationMs: 60 * 60_000 },
    newId: () => "id",
    backendOf: () => undefined,
    identify: async () => null,
    hosts: () => new Set(),
    origins: () => new Set(),
    conversations: {
      put: async (put) => void kept.set(put.id, put),
      get: async (id) => kept.get(id),
      remove: async (id) => void kept.delete(id),
    },
    now: () => clock.now,
    mostConversations: most,
  })
  opened.push(made)
  return made
}

describe("a conversation", () => {
  const backend: Backend = createParrot()

  it("I1, I2: is known at another process to its principal on its path, and to nobody else", async () => {
    const [kept, clock] = [new Map<string, ConversationRecord>(), { now: 0 }]
    await open(kept, clock).open(record, backend, ann)
    for (const other of [open(kept, clock), open(kept, clock)]) {
      expect(await other.find("c1", bob, "/mcp", backend)).toBeUndefined()
      expect(await other.find("c1", ann, "/mcp/files", backend)).toBeUndefined()
      expect((await other.find("c1", ann, "/mcp", backend))?.record).toBe(record)
      expect(await other.find("c1", bob, "/mcp", backend)).toBeUndefined()
    }
  })

  it("I3: that ended at another process is over here within half a minute", async () => {
    const [kept, clock] = [new Map<string, ConversationRecord>(), { now: 0 }]
    const [here, there] = [open(kept, clock), open(kept, clock)]
    await here.open(record, backend, ann)
    const same = await there.find("c1", ann, "/mcp", backend)
    if (same === undefined) throw new Error("not known there")
    await there.end(same)
    clock.now += 30_001
    expect(await here.find("c1", ann, "/mcp", backend)).toBeUndefined()
    expect(here.counts().conversations).toBe(0)
  })

  it("I4: that ends withdraws what is in flight in it", async () => {
    const here = open(new Map(), { now: 0 })
    const conversation = await here.open(record, backend, ann)
    const exchange = makeExchange({
      caller: conversation.caller,
      ask: { method: "tools/call" },
      paramHeaders: null,
      notify: () => {},
      inquire: async () => ({ kind: "result", result: {} }),
      keepOpen: () => {},
    })
    liveOf(conversation).exchanges.set(1, exchange)
    await here.end(conversation)
    expect(exchange.withdrawn.aborted).toBe(true)
  })

  it("I5: makes room for its principal's next when it is unused longest, and comes back by its record", async () => {
    const [kept, clock] = [new Map<string, ConversationRecord>(), { now: 0 }]
    const here = open(kept, clock, 3)
    const other = await here.open({ ...record, id: "bobs", principal: "bob" }, backend, bob)
    for (const id of ["c1", "c2", "c3"]) {
      clock.now += 1
      await here.open({ ...record, id }, backend, ann)
    }
    expect(here.known("c1", ann, "/mcp")).toBeDefined()
    clock.now += 1
    expect(here.known("c1", ann, "/mcp")).toBeDefined()
    await here.open({ ...record, id: "c4" }, backend, ann)
    expect(here.known("c2", ann, "/mcp")).toBeUndefined()
    expect(here.counts().conversations).toBe(4)
    expect((await here.find("c2", ann, "/mcp", backend))?.record.id).toBe("c2")
    expect(here.counts().conversations).toBe(4)
    expect(here.known("bobs", bob, "/mcp")).toBe(other)
  })

  it("I5: never makes room while something goes on in it; its principal must wait, and no other", async () => {
    const [kept, clock] = [new Map<string, ConversationRecord>(), { now: 0 }]
    const here = open(kept, clock, 2)
    const first = await here.open(record, backend, ann)
    const second = await here.open({ ...record, id: "c2" }, backend, ann)
    liveOf(first).streams = { logs: [newEventLog("stream", () => true)], drop: () => {}, stop: () => {} }
    liveOf(second).inquiries.set(1, { of: {}, until: undefined, settle: () => {} })
    await expect(here.open({ ...record, id: "c3" }, backend, ann)).rejects.toThrow(
      "2 sessions in which something goes on",
    )
    expect(kept.has("c3")).toBe(false)
    await here.open({ ...record, id: "bobs", principal: "bob" }, backend, bob)
    liveOf(second).inquiries.clear()
    await here.open({ ...record, id: "c3" }, backend, ann)
    expect(here.known("c1", ann, "/mcp")).toBe(first)
    expect(here.known("c2", ann, "/mcp")).toBeUndefined()
  })
})
