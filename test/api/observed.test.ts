import type { JsonObject } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import { ana, callOf, holdCall } from "../engine/open-engine.ts"
import { opening } from "../opening.ts"
import { answerCall } from "./answer-call.ts"
import { codeOf, must, openService, type TestService } from "./open-service.ts"

const { open: openOne, closeAll } = opening(openService)
afterEach(closeAll)

const minute = 60_000
const session = { principal: "agent", id: "s1", named: true }

/** A service whose only session is observed for an hour; the call that made it known was denied. */
async function openObserved(store: "memory" | "sqlite") {
  return observedIn(await openOne({ store }))
}

async function observedIn(service: TestService) {
  await service.engine.gate.seeTools("files", [{ name: "write" }])
  const { client } = await service.person("ana")
  const first = await holdCall(service.engine, callOf("files(write)", { path: "/srv/closed/x.md" }, { session }))
  must(await answerCall(client, first.approval.id, { kind: "deny" }))
  await first.outcome
  const setMode = (mode: "observe" | "ask") => service.engine.gate.setMode(session, mode, { reviewer: ana })
  const write = async (path: string, more: JsonObject = {}) => {
    service.clock.now += minute
    await service.engine.submit(callOf("files(write)", { path, ...more }, { session }))
  }
  return { service, client, setMode, write }
}

describe.each(["memory", "sqlite"] as const)("R37: what ran in observe mode, with %s", (store) => {
  it("is reported with the rules that would have halved it, also after the mode has ended", async () => {
    const { service, client, setMode, write } = await openObserved(store)
    expect(must(await client.observedCalls({ query: {} }))).toMatchObject({ wouldAsk: 0, rules: [], sessions: [] })
    await setMode("observe")
    for (const name of ["a.md", "b.md", "c.md"]) await write(`/srv/notes/${name}`)
    await write("/srv/notes/.env")
    await write("/srv/closed/y.md")
    const { items } = must(await client.listSessions())
    await setMode("ask")
    service.clock.now += minute
    const report = must(await client.observedCalls({ query: {} }))
    expect(report).toMatchObject({
      ...{ wouldAsk: 5, stillAsk: 5, delicate: 1, spared: 3, isCut: false },
      tools: [{ tool: { server: "files", tool: "write" }, calls: 5 }],
      agents: [{ agent: "agent", calls: 5 }],
      sessions: [{ principal: "agent", id: "s1", calls: 5, key: expect.any(String) }],
      rules: [{ agent: "agent", calls: 3, sessions: 1, replaces: [] }],
    })
    expect(items.map(({ key }) => key)).toEqual(report.sessions.map(({ key }) => key))
    expect(report.rules[0]?.words).toBe(
      'Allow files(write) for agents named agent when path is directly in "/srv/notes" and path matches "*.md" and no argument looks sensitive and no arguments but path are given',
    )
    // Nobody's yes: it is no suggestion.
    expect(must(await client.suggestRules()).items).toEqual([])
  })

  it("is looked for since a time", async () => {
    const { service, client, setMode, write } = await openObserved(store)
    await setMode("observe")
    await write("/srv/notes/a.md")
    service.clock.now += minute
    const since = service.clock.now
    expect(must(await client.observedCalls({ query: { since } })).wouldAsk).toBe(0)
    await write("/srv/notes/b.md")
    expect(must(await client.observedCalls({ query: { since } })).wouldAsk).toBe(1)
    expect(must(await client.observedCalls({ query: {} })).wouldAsk).toBe(2)
  })

  it("is counted where a secret in its arguments is masked, and no rule is drawn from it", async () => {
    const { client, setMode, write } = await openObserved(store)
    await setMode("observe")
    for (const name of ["a", "b", "c"]) await write(`/srv/notes/${name}.md`, { password: "hunter2" })
    expect(must(await client.observedCalls({ query: {} }))).toMatchObject({ wouldAsk: 3, stillAsk: 3, rules: [] })
  })
})

it("the report that every page shows is worked out once, until another call has run", async () => {
  let read = 0
  const service = await openOne({ onRead: (bytes) => (read += bytes) })
  const { client, setMode, write } = await observedIn(service)
  await setMode("observe")
  await write("/srv/notes/a.md")
  read = 0
  const asked = await Promise.all(Array.from({ length: 10 }, () => client.observedCalls({ query: {} })))
  expect(new Set(asked.map((one) => must(one).wouldAsk))).toEqual(new Set([1]))
  const once = read
  expect(once).toBeGreaterThan(0)
  expect(must(await client.observedCalls({ query: {} })).wouldAsk).toBe(1)
  expect(read).toBe(once)
  await write("/srv/notes/b.md")
  expect(must(await client.observedCalls({ query: {} })).wouldAsk).toBe(2)
})

it("others have their turn while rules are looked for in what was observed and answered", async () => {
  let [ms, turns] = [0, 0]
  const nextTurn = async () => {
    turns += 1
  }
  const service = await openOne({ turns: { now: () => (ms += 6), nextTurn } })
  const { client, setMode, write } = await observedIn(service)
  await setMode("observe")
  const turnsFor = async (ask: () => Promise<unknown>) => {
    const before = turns
    await ask()
    return turns - before
  }
  const few = await turnsFor(() => client.observedCalls({ query: {} }))
  for (let at = 0; at < 30; at++) await write(`/srv/notes/${at}.md`)
  expect(await turnsFor(() => client.observedCalls({ query: {} }))).toBeGreaterThan(few + 30)
  expect(await turnsFor(() => client.suggestRules())).toBeGreaterThan(0)
})

it("nobody without a reviewer's credential is told what was observed", async () => {
  const service = await openOne()
  expect((await service.send("/api/policy/observed")).status).toBe(401)
  const { client } = await service.person("ana")
  expect(codeOf(await client.observedCalls({ query: { since: -1 } }))).toBe("bad-request")
})
