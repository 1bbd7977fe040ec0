import { applyEvent, type EventView, emptyInbox, followEvents } from "@byleave/api"
import { sessionKey } from "@byleave/core"
import type { Server } from "@byleave/server"
import { afterEach, describe, expect, it } from "vitest"
import { callOf, holdCall, nay } from "../engine/open-engine.ts"
import { opening } from "../opening.ts"
import { sessionDisplayed } from "./as-displayed.ts"
import { clientAt, must, openService, type TestService } from "./open-service.ts"

const aborts: AbortController[] = []
const { open: openOne, closeAll } = opening(openService)
afterEach(async () => {
  for (const abort of aborts.splice(0)) abort.abort()
  await closeAll()
})

async function open(store: "memory" | "sqlite"): Promise<TestService> {
  return openOne({ store })
}

/** Reads until as many have come as wanted. */
async function take(events: AsyncIterable<EventView>, count: number): Promise<EventView[]> {
  const taken: EventView[] = []
  for await (const event of events) {
    taken.push(event)
    if (taken.length === count) break
  }
  return taken
}

async function makeEvents(service: TestService, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    const { approval } = await holdCall(service.engine, callOf("files(write)", { at: `${service.clock.now} ${at}` }))
    await service.engine.gate.answer(nay(approval))
    await service.engine.gate.liftRefusals(approval.session, approval.tool, { id: "ana", groups: [] })
  }
}

/** A service that can be put out and started again behind one address. */
function restartable(first: Server): { server: Server; fetch: Server["fetch"] } {
  const behind = { server: first, fetch: (request: Request) => behind.server.fetch(request) }
  return behind
}

describe.each(["memory", "sqlite"] as const)("events, with the %s store", (store) => {
  it("a stream says where it stands, then what becomes true, numbered", async () => {
    const service = await open(store)
    const { client } = await service.person("ana")
    const events = must(await client.events({}))
    const { approval } = await holdCall(service.engine, callOf("files(write)"))
    const [start, pending] = await take(events, 2)
    expect(start).toMatchObject({ type: "stream.opened" })
    expect(pending).toMatchObject({ type: "approval.pending", subject: approval.id })
    expect(pending?.seq).toBeGreaterThan(start?.seq ?? 0)
  })

  it("a stream ends when its device is revoked, and no other's does", async () => {
    const service = await open(store)
    const [ana, ben] = [await service.person("ana"), await service.person("ben")]
    const [anas, bens] = [must(await ana.client.events({})), must(await ben.client.events({}))]
    const told: string[] = []
    const reading = (async () => {
      for await (const { type } of anas) told.push(type)
    })().catch(() => undefined)
    const device = must(await ana.client.listDevices()).items.find(({ reviewer }) => reviewer === "ana")
    must(await ben.client.revokeDevice({ params: { id: device?.id ?? "" } }))
    await reading
    await holdCall(service.engine, callOf("files(write)"))
    expect(told).not.toContain("approval.pending")
    expect((await take(bens, 3)).map(({ type }) => type)).toContain("approval.pending")
  })

  it("resumes by Last-Event-ID and by `after` with everything since, once, in order", async () => {
    const service = await open(store)
    const { client, key } = await service.person("ana")
    const from = await service.store.lastEvent()
    await makeEvents(service, 20)
    const all = await service.store.events(from, 1_000)
    const middle = all[7]?.seq ?? 0
    const rest = all.filter(({ seq }) => seq > middle).map(({ seq }) => seq)
    const resumed = await take(must(await client.events({ after: middle })), rest.length + 1)
    expect(resumed.slice(1).map(({ seq }) => seq)).toEqual(rest)

    const dpop = await service.proofOf(key, "GET", "/api/events")
    const response = await service.send("/api/events?after=0", { headers: { dpop, "last-event-id": `${middle}` } })
    const reader = response.body?.getReader()
    let text = ""
    while (!text.includes(`id: ${rest.at(-1)}\n`)) text += new TextDecoder().decode((await reader?.read())?.value)
    await reader?.cancel()
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq))).toEqual([middle, ...rest])
  })

  it("twenty pages lose and double nothing while the service restarts under them", async () => {
    const service = await open(store)
    const { key } = await service.person("ana")
    const behind = restartable(service.server)
    const client = clientAt(behind, key, service.clock)
    const from = await service.store.lastEvent()
    const heard = Array.from({ length: 20 }, () => [] as EventView[])
    const abort = new AbortController()
    aborts.push(abort)
    const following = heard.map((seen) =>
      followEvents({
        client,
        after: from,
        signal: abort.signal,
        wait: () => new Promise((resolve) => setImmediate(resolve)),
        onEvent: (event) => {
          if (!event.type.startsWith("stream.")) seen.push(event)
        },
      }),
    )
    for (let round = 0; round < 3; round++) {
      const old = behind.server
      await makeEvents(service, 5)
      behind.server = await service.again()
      const going = makeEvents(service, 5)
      old.close()
      await going
    }
    const expected = (await service.store.events(from, 10_000)).map(({ seq }) => seq)
    const last = expected.at(-1) ?? 0
    while (heard.some((seen) => (seen.at(-1)?.seq ?? 0) < last)) await new Promise((resolve) => setImmediate(resolve))
    for (const seen of heard) expect(seen.map(({ seq }) => seq)).toEqual(expected)
    abort.abort()
    behind.server.close()
    expect(await Promise.all(following)).toEqual(following.map(() => null))
  })

  it("what is no longer kept is told as a reset, never passed over", async () => {
    const service = await open(store)
    const { client } = await service.person("ana")
    const from = await service.store.lastEvent()
    await makeEvents(service, 3)
    service.clock.now += 1_000
    await service.store.removePayloads(service.clock.now)
    const [first] = await take(must(await client.events({ after: from })), 1)
    expect(first).toMatchObject({ type: "stream.reset", seq: await service.store.lastEvent() })
  })

  it("names sessions by an opaque key, the one their view has, and no document", async () => {
    const service = await open(store)
    const { client } = await service.person("ana")
    const { approval } = await holdCall(service.engine, callOf("files(write)"))
    const ref = { principal: "agent", id: "s1" }
    const events = must(await client.events({}))
    const { key } = must(await client.setMode({ body: { ...(await sessionDisplayed(client, ref)), mode: "observe" } }))
    await service.store.commit({
      at: service.clock.now,
      records: [],
      events: [
        { type: "document.changed", subject: "conversation/secret-id" },
        { type: "document.changed", subject: `session/${key}` },
      ],
      durability: "full",
    })
    must(await client.nameSession({ body: { ...ref, label: "x" } }))
    const told = await take(events, 4)
    expect(told.slice(1).map(({ type, subject }) => [type, subject])).toEqual([
      ["mode.changed", key],
      ["session.seen", key],
      ["session.named", key],
    ])
    expect(JSON.stringify(told)).not.toContain(JSON.stringify(sessionKey(ref)))
    expect(must(await client.getApproval({ params: { id: approval.id } })).sessionKey).toBe(key)
  })
})

it("silence is filled with comments, so that nobody takes it for death", async () => {
  const service = await open("memory")
  const { key } = await service.person("ana")
  const response = await service.send("/api/events", {
    headers: { dpop: await service.proofOf(key, "GET", "/api/events") },
  })
  const reader = response.body?.getReader()
  let text = ""
  while (!text.includes(": still here")) text += new TextDecoder().decode((await reader?.read())?.value)
  await reader?.cancel()
  expect(response.headers.get("content-type")).toBe("text/event-stream")
})

it("the fold of history and live events is the list of what waits", async () => {
  const service = await open("memory")
  const { client } = await service.person("ana")
  const from = await service.store.lastEvent()
  await makeEvents(service, 4)
  const { approval } = await holdCall(service.engine, callOf("files(write)", { last: true }))
  const all = (await service.store.events(from, 1_000)) as readonly EventView[]
  const state = [...all, ...all].reduce(applyEvent, emptyInbox(from))
  const { items } = must(await client.listApprovals({ query: { status: "pending" } }))
  expect(state.waiting).toEqual(items.map(({ id }) => id))
  expect(state.waiting).toEqual([approval.id])
})
