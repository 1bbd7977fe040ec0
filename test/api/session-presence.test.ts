/** Sessions that live as long as a wrap's connection. */
import { setImmediate as nextTurn } from "node:timers/promises"
import { nodeHasher } from "@byleave/core/node"
import { afterEach, describe, expect, it } from "vitest"
import {
  createSessionPresence,
  mostAttended,
  type SessionPresence,
} from "../../packages/server/src/gate/session-presence.ts"
import { openService, type TestService } from "./open-service.ts"

const opened: Array<{ readonly close: () => unknown }> = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

const connected = { state: "connected" }
const unknown = { state: "unknown" }
const sessionOf = (id: string) => ({ principal: "wrap:files", id, named: true })

/** A program's connection, until it is cut. */
function connection() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const whenGone = (then: () => void): (() => void) => {
    void promise.then(then)
    return () => {}
  }
  return { whenGone, cut: () => resolve() }
}

async function open(store: "memory" | "sqlite") {
  const service = await openService({ store })
  opened.push(service)
  const make = (
    writer = service.store.writer,
    returnMs = 60_000,
    turn: () => Promise<unknown> = nextTurn,
  ): SessionPresence => {
    const made = createSessionPresence({
      gate: service.engine.gate,
      store: { ...service.store, writer },
      time: () => service.clock.now,
      hasher: nodeHasher,
      ...{ graceMs: 30, returnMs, nextTurn: turn },
      onTrouble: (trouble) => expect.fail(String(trouble)),
    })
    opened.push(made)
    return made
  }
  return { service, make }
}

async function isEnded({ store }: TestService, id: string): Promise<boolean> {
  return ((await store.session(sessionOf(id)))?.endedAt ?? null) !== null
}

describe.each(["memory", "sqlite"] as const)("a session that a program attends, with the %s store", (store) => {
  it("I1: ends when its connection is gone and none takes its place, and not when one does", async () => {
    const { service, make } = await open(store)
    const presence = make()
    const [left, kept, next] = [connection(), connection(), connection()]
    void presence.attend(sessionOf("kept"), kept)
    void presence.attend(sessionOf("left"), left)
    await expect.poll(() => presence.connectionOf(sessionOf("left"))).toEqual(connected)
    expect(await presence.connectionOf(sessionOf("other"))).toEqual(unknown)
    kept.cut()
    void presence.attend(sessionOf("kept"), next)
    left.cut()
    await expect.poll(() => isEnded(service, "left")).toBe(true)
    expect(await presence.connectionOf(sessionOf("kept"))).toEqual(connected)
    expect(await isEnded(service, "kept")).toBe(false)
    next.cut()
    await expect.poll(() => isEnded(service, "kept")).toBe(true)
  })

  it("I5: is one of as many as its credential may attend, those included that are about to end", async () => {
    const { service, make } = await open(store)
    const presence = make()
    const here = connection()
    const [first, ...others] = Array.from({ length: mostAttended }, connection)
    const attend = (n: number, by = here) => presence.attend(sessionOf(`s${n}`), by)
    void attend(0, first)
    for (const n of others.keys()) void attend(n + 1)
    expect(presence.mayAttend(sessionOf("one more"))).toBe(false)
    expect(presence.mayAttend({ ...sessionOf("one more"), principal: "wrap:other" })).toBe(false)
    expect(presence.mayAttend({ ...sessionOf("one more"), principal: "other:files" })).toBe(true)
    expect(presence.mayAttend(sessionOf("s1"))).toBe(true)
    first?.cut()
    await expect.poll(() => presence.connectionOf(sessionOf("s0"))).toMatchObject({ state: "gone" })
    await expect.poll(() => isEnded(service, "s0")).toBe(true)
    expect(presence.mayAttend(sessionOf("one more"))).toBe(true)
  })

  it("I6: ends after the others that ended at once, with a turn in between", async () => {
    const turns: Array<() => void> = []
    const { service, make } = await open(store)
    const presence = make(undefined, undefined, () => new Promise<void>((resolve) => turns.push(resolve)))
    const here = connection()
    const ids = ["a", "b", "c"]
    for (const id of ids) void presence.attend(sessionOf(id), here)
    await expect.poll(() => presence.connectionOf(sessionOf("c"))).toEqual(connected)
    here.cut()
    const endedOf = async () => (await Promise.all(ids.map((id) => isEnded(service, id)))).filter(Boolean).length
    for (const count of [1, 2, 3]) {
      await expect.poll(() => turns.length).toBe(count)
      expect(await endedOf()).toBe(count)
      turns[count - 1]?.()
    }
  })

  it("ends by its program's word, once", async () => {
    const { service, make } = await open(store)
    const presence = make()
    const here = connection()
    const attending = presence.attend(sessionOf("s"), here)
    await expect.poll(() => presence.connectionOf(sessionOf("s"))).toEqual(connected)
    await presence.end(sessionOf("s"))
    here.cut()
    await attending
    expect(await isEnded(service, "s")).toBe(true)
    expect(await presence.connectionOf(sessionOf("s"))).toEqual({ state: "gone", since: service.clock.now })
  })

  it("I2: is not ended by a service that closes, but by the next when its program does not come back", async () => {
    const { service, make } = await open(store)
    const before = make("process that died")
    const [gone, back] = [connection(), connection()]
    const attending = [before.attend(sessionOf("gone"), gone), before.attend(sessionOf("back"), back)]
    await expect.poll(() => before.connectionOf(sessionOf("back"))).toEqual(connected)
    before.close()
    for (const { cut } of [gone, back]) cut()
    await Promise.all(attending)
    const after = make(service.store.writer, 50)
    void after.attend(sessionOf("back"), connection())
    await expect.poll(() => isEnded(service, "gone")).toBe(true)
    expect(await isEnded(service, "back")).toBe(false)
  })

  it("I3: is left alone where another living process of the service attends it", async () => {
    const { service, make } = await open(store)
    await service.store.stayAlive(service.clock.now + 60_000)
    const here = make("moved from here")
    const there = make()
    const [first, second] = [connection(), connection()]
    void here.attend(sessionOf("moved"), first)
    await expect.poll(() => here.connectionOf(sessionOf("moved"))).toEqual(connected)
    void there.attend(sessionOf("moved"), second)
    await expect
      .poll(async () => (await service.store.documents("attendance", { limit: 9, now: service.clock.now }))[0]?.version)
      .toBe(2)
    const other = connection()
    first.cut()
    void here.attend(sessionOf("other"), other)
    other.cut()
    await expect.poll(() => isEnded(service, "other")).toBe(true)
    expect(await isEnded(service, "moved")).toBe(false)
  })

  it("I4: has a program that is gone once it left, for a while and everywhere; of others nothing is claimed", async () => {
    const { service, make } = await open(store)
    await service.store.stayAlive(service.clock.now + 60_000)
    const here = make()
    const elsewhere = make("another process")
    const left = connection()
    void here.attend(sessionOf("left"), left)
    await expect.poll(() => elsewhere.connectionOf(sessionOf("left"))).toEqual(connected)
    const since = service.clock.now
    left.cut()
    await expect.poll(() => here.connectionOf(sessionOf("left"))).toEqual({ state: "gone", since })
    await expect.poll(() => elsewhere.connectionOf(sessionOf("left"))).toEqual({ state: "gone", since })
    expect(await here.connectionOf(sessionOf("never attended"))).toEqual(unknown)
    service.clock.now += 10 * 60_000
    expect(await here.connectionOf(sessionOf("left"))).toEqual(unknown)
  })

  it("I4: is not called gone because its process of the service died: its program may come back", async () => {
    const { service, make } = await open(store)
    const before = make("process that died")
    const here = connection()
    void before.attend(sessionOf("s"), here)
    await expect.poll(() => before.connectionOf(sessionOf("s"))).toEqual(connected)
    before.close()
    const after = make()
    expect(await after.connectionOf(sessionOf("s"))).toEqual(unknown)
    expect(await isEnded(service, "s")).toBe(false)
  })
})
