/** What is known of sessions besides modes and grants, and how little is written for it. */
import { gatePaths } from "@byleave/api"
import { createRedactor, type Store } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { createServer, createSessionFacts, type SessionFacts, sightingOf } from "@byleave/server"
import { afterEach, describe, expect, it } from "vitest"
import { callOf, holdCall, newId, policyOf, rule, signer } from "../engine/open-engine.ts"
import { opening } from "../opening.ts"
import { sessionDisplayed } from "./as-displayed.ts"
import { clientAt, codeOf, must, openService, type TestService, url } from "./open-service.ts"

const { open: openOne, closeAll } = opening(openService)
afterEach(closeAll)

const policy = policyOf([rule("allow", "files(read)")])
const session = { principal: "agent", id: "s1", named: true }
const tool = { server: "files", tool: "read" }

async function open(store: "memory" | "sqlite") {
  const service = await openOne({ store, policy })
  const make = (): SessionFacts =>
    createSessionFacts({
      store: service.store,
      now: () => service.clock.now,
      hasher: nodeHasher,
      redactor: createRedactor(),
    })
  return { service, clock: service.clock, make }
}

async function writes({ store, clock }: TestService): Promise<number> {
  const kept = await store.documents("session", { limit: 10, now: clock.now })
  return kept.reduce((sum, { version }) => sum + version, 0)
}

describe.each(["memory", "sqlite"] as const)("sessions, with the %s store", (store) => {
  it("are written at first sight, when something is learned, and then once a minute at most", async () => {
    const { service, clock, make } = await open(store)
    const facts = make()
    const seeMany = async (): Promise<void> => {
      for (let at = 0; at < 50; at++) facts.see({ session, call: tool })
      await facts.close()
    }
    await seeMany()
    expect(await writes(service)).toBe(1)
    facts.see({ session, client: "codex 1.0" })
    await facts.close()
    expect(await writes(service)).toBe(2)
    clock.now += 59_999
    await seeMany()
    expect(await writes(service)).toBe(2)
    expect((await facts.of(session))?.lastSeenAt).toBe(clock.now)
    clock.now += 1
    await seeMany()
    expect(await writes(service)).toBe(3)
  })

  it("are told of at first sight and when something is learned, by the key that lists have; not when they are only seen again", async () => {
    const { service, clock, make } = await open(store)
    const told: string[] = []
    const stop = service.store.subscribe((event) => told.push(`${event.type} ${event.subject.split("/")[0]}`))
    const facts = make()
    const see = async (sighting: object): Promise<void> => {
      facts.see({ session, ...sighting })
      await facts.close()
      clock.now += 60_000
    }
    await see({ client: "codex 1.0" })
    expect(told).toHaveLength(1)
    await see({})
    expect(told).toHaveLength(1)
    await see({ call: tool })
    expect(told).toHaveLength(2)
    await see({ call: { server: "files", tool: "write" } })
    expect(told).toHaveLength(2)
    expect(new Set(told)).toEqual(new Set(["document.changed session"]))
    stop()
  })

  it("R66: the switches that a program was started with are kept, and recorded once", async () => {
    const { service, make } = await open(store)
    const facts = make()
    facts.see({ session, client: "copilot 1.0" })
    await facts.close()
    for (let at = 0; at < 3; at++) facts.see({ session, switches: ["--allow-all-tools"] })
    await facts.close()
    expect(await make().of(session)).toMatchObject({ client: "copilot 1.0", switches: ["--allow-all-tools"] })
    const records = await service.store.records({ types: ["session.launched"], limit: 10 })
    expect(records.map(({ text }) => JSON.parse(text).body)).toEqual([
      { principal: "agent", session: "s1", switches: ["--allow-all-tools"] },
    ])
  })

  it("are known after a restart: the first call stays the first, and the start the start", async () => {
    const { clock, make } = await open(store)
    const start = clock.now
    const before = make()
    before.see({ session, client: "codex 1.0", folder: "/home/me", call: tool })
    await before.close()
    clock.now += 5_000
    const after = make()
    after.see({ session, call: { server: "files", tool: "write" } })
    await after.close()
    expect(await make().of(session)).toEqual({
      session,
      client: "codex 1.0",
      folder: "/home/me",
      firstCall: tool,
      startedAt: start,
      lastSeenAt: clock.now,
    })
  })

  it("that two processes see at once are one, with what both know", async () => {
    const { make } = await open(store)
    const [one, two] = [make(), make()]
    one.see({ session, client: "codex 1.0" })
    two.see({ session, folder: "/home/me" })
    await Promise.all([one.close(), two.close()])
    expect(await make().of(session)).toMatchObject({ client: "codex 1.0", folder: "/home/me" })
  })

  it("I1: of one token are kept up to its share: the oldest that called nothing goes first, and none of another's", async () => {
    const { service, clock, make } = await open(store)
    const facts = make()
    const evil = (id: string) => ({ principal: "evil", id, named: false })
    facts.see({ session })
    facts.see({ session: evil("called"), call: tool })
    for (let at = 0; at < 510; at++) {
      clock.now++
      facts.see({ session: evil(`e${at}`) })
    }
    await facts.close()
    const after = make()
    expect(await after.seenSince(0)).toHaveLength(501)
    expect(await Promise.all(["e10", "e11", "called", "e509"].map((id) => after.of(evil(id))))).toMatchObject([
      null,
      { firstCall: null },
      { firstCall: tool },
      { firstCall: null },
    ])
    expect(await after.of(session)).not.toBeNull()
    expect(await service.store.documents("session", { limit: 1_000, now: clock.now })).toHaveLength(501)
  })

  it("I2: told of without end, few are being written at a time, and those that go first are not written", async () => {
    const { service, clock } = await open(store)
    const seen = { now: 0, most: 0, all: 0 }
    const counting: Store = {
      ...service.store,
      commit: async (change) => {
        seen.all += 1
        seen.most = Math.max(seen.most, ++seen.now)
        const committed = await service.store.commit(change)
        seen.now -= 1
        return committed
      },
    }
    const facts = createSessionFacts({
      store: counting,
      now: () => clock.now,
      hasher: nodeHasher,
      redactor: createRedactor(),
    })
    for (let at = 0; at < 3_000; at++) facts.see({ session: { principal: "app:a", id: `s${at}`, named: true } })
    await facts.close()
    expect(seen.most).toBeLessThanOrEqual(16)
    expect(seen.all).toBeLessThan(600)
    expect(await service.store.documents("session", { limit: 1_000, now: clock.now })).toHaveLength(500)
  })

  it("what clients call themselves is cut to a length, wherever that falls", async () => {
    const { make } = await open(store)
    const facts = make()
    facts.see({ session, client: `${"x".repeat(118)}😀😀😀`, folder: "/".repeat(10_000) })
    const fact = await facts.of(session)
    expect(fact?.client).toHaveLength(120)
    expect(fact?.client?.isWellFormed()).toBe(true)
    expect(fact?.folder?.length).toBeLessThanOrEqual(500)
    await facts.close()
  })
})

/** The same service, told of sessions. */
async function openSeeing() {
  const { service, clock, make } = await open("memory")
  const facts = make()
  const { key } = await service.person("ana")
  const { engine, store, credentials } = service
  const server = createServer({
    ...{ gate: engine.gate, store, credentials, newId, hasher: nodeHasher, signer, version: "0" },
    now: () => clock.now,
    redactor: { redact: (value) => value, redactText: (text) => text.replaceAll("s3cret", "‹hidden›") },
    policy: () => policy,
    servers: () => [],
    restartServer: async () => false,
    stopServer: async () => false,
    startServer: async () => false,
    hosts: () => new Set(["127.0.0.1:7337"]),
    origins: () => new Set([url]),
    addresses: () => new Set([url]),
    address: () => url,
    proveService: () => "",
    sessionFacts: facts,
  })
  const close = async (): Promise<void> => {
    await facts.close()
    server.close()
  }
  return { service, clock, facts, engine, server, credentials, client: clientAt(server, key, clock), close }
}

it("R148: a session that only made calls nobody was asked about is listed with its client and first call, until it ends", async () => {
  const { clock, facts, engine, client, close } = await openSeeing()
  facts.see({ session, client: "codex s3cret", folder: null })
  facts.see(sightingOf(callOf("files(read)")))
  await engine.gate.submit(callOf("files(read)"), engine.run)
  const now = clock.now
  expect(must(await client.listSessions()).items).toMatchObject([
    { principal: "agent", id: "s1", client: "codex ‹hidden›", firstCall: tool, startedAt: now, lastSeenAt: now },
  ])
  clock.now += 1
  const s1 = { principal: "agent", id: "s1" }
  must(await client.setMode({ body: { ...(await sessionDisplayed(client, s1)), mode: "unattended" } }))
  must(await client.endSession({ body: await sessionDisplayed(client, s1) }))
  expect(must(await client.listSessions()).items).toEqual([])
  await close()
})

it("R148: what is known of a session is still told by its key once it has ended, and of no other", async () => {
  const { facts, engine, client, close } = await openSeeing()
  facts.see({ session, client: "codex 1", folder: "/home/me/site" })
  facts.see(sightingOf(callOf("files(read)")))
  await engine.gate.submit(callOf("files(read)"), engine.run)
  const ref = { principal: "agent", id: "s1" }
  must(await client.nameSession({ body: { ...ref, label: "Release" } }))
  must(await client.endSession({ body: await sessionDisplayed(client, ref) }))
  await facts.close()
  const [call] = must(await client.listCalls({ query: {} })).items
  const keys = [call?.sessionKey, call?.sessionKey, "nobody"].join()
  expect(must(await client.listSessions({ query: { keys } })).items).toMatchObject([
    { ...ref, key: call?.sessionKey, label: "Release", client: "codex 1", folder: "/home/me/site", firstCall: tool },
  ])
  const tooMany = Array.from({ length: 51 }, (_, at) => `k${at}`).join()
  expect(codeOf(await client.listSessions({ query: { keys: tooMany } }))).toBe("bad-request")
  await close()
})

it("a session for which something is remembered is listed, however long ago it was seen", async () => {
  const { clock, facts, engine, client, close } = await openSeeing()
  facts.see({ session, client: "codex 1" })
  facts.see(sightingOf(callOf("files(read)")))
  await engine.gate.submit(callOf("files(read)"), engine.run)
  await facts.close()
  const ref = { principal: "agent", id: "s1" }
  const breadth = { kind: "tool", server: "files", tool: "write" } as const
  must(await client.addGrant({ body: { effect: "allow", breadth, session: ref } }))
  clock.now += 24 * 60 * 60_000
  expect(must(await client.listSessions()).items).toMatchObject([{ ...ref, client: "codex 1", grants: [{ breadth }] }])
  await close()
})

it("a program tells of its own sessions and of no other's, and nothing but what is asked", async () => {
  const { server, credentials, client, close } = await openSeeing()
  const made = await credentials.addToken({ id: "wrap", kind: "gate", namesSessions: true }, null)
  if (!("secret" in made)) throw new Error(made.detail)
  const tell = async (body: object, token: string = made.secret): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, host: "127.0.0.1:7337", "content-type": "application/json" }
    const request = new Request(new URL(gatePaths.seen, url), { method: "POST", headers, body: JSON.stringify(body) })
    return (await server.fetch(request)).status
  }
  const said = { from: { agent: "files", session: { id: "s1", named: true } }, client: "lines 1", folder: "/home/me" }
  expect(await tell(said)).toBe(200)
  expect(must(await client.listSessions()).items).toMatchObject([
    { principal: "wrap:files", id: "s1", client: "lines 1", folder: "/home/me", firstCall: null },
  ])
  expect(await tell({ ...said, principal: "other" })).toBe(400)
  expect(await tell({ ...said, switches: ["--allow-all-urls"] })).toBe(200)
  expect(must(await client.listSessions()).items).toMatchObject([{ mode: "ask", switches: ["--allow-all-urls"] }])
  expect(await tell({ ...said, switches: ["--approve-everything"] })).toBe(400)
  expect(await tell({ ...said, client: "x".repeat(1_001) })).toBe(400)
  expect(await tell(said, "byl_gate_nobody")).toBeGreaterThanOrEqual(400)
  expect(must(await client.listSessions()).items).toHaveLength(1)
  await close()
})

it("an agent that opens hundreds of sessions hides no other's, and one of its own is found by its id", async () => {
  const { clock, facts, client, close } = await openSeeing()
  facts.see({ session, client: "codex 1" })
  for (let at = 0; at < 205; at++) {
    clock.now++
    facts.see({ session: { principal: "evil", id: `e${at}`, named: false } })
  }
  const { items } = must(await client.listSessions())
  expect(items.filter(({ principal }) => principal === "evil")).toHaveLength(20)
  expect(items).toContainEqual(expect.objectContaining({ principal: "agent", id: "s1" }))
  for (const name of ["e0", "evil/e0"]) {
    expect(must(await client.listSessions({ query: { session: name } })).items).toMatchObject([{ id: "e0" }])
  }
  expect(must(await client.listSessions({ query: { session: "e" } })).items).toEqual([])
  await close()
})

it("without anything that tells of sessions, those with something waiting are listed as ever", async () => {
  const { service } = await open("memory")
  const { client } = await service.person("ana")
  await holdCall(service.engine, callOf("files(write)"))
  expect(must(await client.listSessions()).items).toMatchObject([
    { id: "s1", waiting: 1, client: null, lastSeenAt: null },
  ])
})
