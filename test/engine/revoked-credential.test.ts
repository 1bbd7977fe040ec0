/** A credential is revoked while things go on with it, wherever they go on: nothing begins to run after that commit. */
import {
  type Call,
  type Change,
  type EpochMs,
  type Gate,
  principalOfRun,
  runSession,
  type Store,
  StoreError,
} from "@byleave/core"
import { newMemoryDatabase } from "@byleave/store"
import { expect, it } from "vitest"
import { givingAnew, revoking } from "../../packages/server/src/credentials/revocation-documents.ts"
import { comesTo, countingTools, openRuns, settled, type World } from "../runs/open-runs.ts"
import { ana, callOf, type Engine, holdCall, memoryStore, openEngine, policyOf, rule, yes } from "./open-engine.ts"

const write = callOf("files(write_file)", { path: "/ws/a" })
const read = callOf("files(read_file)", { path: "/ws/a" })
const allowsReads = policyOf([rule("allow", "files(read_file)")])

async function revoke(store: Store, name: string, at: EpochMs): Promise<void> {
  await change(store, name, await revoking(store, name), at)
}

async function giveAnew(store: Store, name: string, at: EpochMs): Promise<void> {
  await change(store, name, await givingAnew(store, name, () => at), at)
}

async function change(
  store: Store,
  name: string,
  documents: NonNullable<Change["documents"]>,
  at: EpochMs,
): Promise<void> {
  const events = [{ type: "access.changed", subject: `token/${name}` }] as const
  await store.commit({ at, documents, movesEpoch: true, records: [], events, durability: "full" })
}

/** Two processes on one store, of which the second has judged already and hears of no event. */
async function openPair(): Promise<{ readonly here: Engine; readonly deaf: Engine }> {
  const clock = { now: 1_800_000_000_000 }
  const database = newMemoryDatabase()
  const here = await openEngine(allowsReads, { clock, store: memoryStore(clock, database) })
  const store: Store = { ...memoryStore(clock, database), subscribe: () => () => {} }
  const deaf = await openEngine(allowsReads, { clock, store })
  expect((await deaf.submit({ ...read, ...agent("somebody") })).kind).toBe("result")
  deaf.runs.length = 0
  return { here, deaf }
}

function agent(id: string): Pick<Call, "principal" | "session"> {
  return { principal: { id }, session: { principal: id, id: "s1", named: true } }
}

const refused = { kind: "refusal", refusal: { code: "cancelled" } } as const

it.each([
  { name: "an agent's own token", principal: "agent", token: "agent" },
  { name: "the token of a program that names its agents", principal: "wrap:copilot", token: "wrap" },
])(
  "a call that is allowed does not run once $name is revoked, at a process that has not heard of it",
  async (given) => {
    const { here, deaf } = await openPair()
    await revoke(here.store, given.token, here.clock.now)
    for (const each of [here, deaf]) {
      expect(await each.submit({ ...read, ...agent(given.principal) })).toMatchObject(refused)
      expect(await each.submit({ ...write, ...agent(given.principal) })).toMatchObject(refused)
      expect(each.runs).toEqual([])
      expect((await each.submit({ ...read, ...agent("wrapped") })).kind).toBe("result")
    }
    expect(await here.store.countApprovals({})).toBe(0)
  },
)

it("a call that was approved before does not run, at a process that has not heard of it", async () => {
  const { here, deaf } = await openPair()
  const { approval, outcome } = await holdCall(here, write, Promise.resolve())
  expect((await outcome).kind).toBe("ticket")
  expect(await here.gate.answer(yes(approval))).toMatchObject({ ok: true })
  await revoke(here.store, "agent", here.clock.now)
  const order = { approval: approval.id, digest: approval.runDigest, reviewer: ana }
  const ran = await deaf.gate.runNow(order, deaf.run)
  expect(ran).toMatchObject({ ok: false })
  expect(deaf.runs).toEqual([])
  expect(await here.store.approval(approval.id)).toMatchObject({ status: "cancelled" })
})

it("a yes given afterwards is refused, and its caller is told why", async () => {
  const { here, deaf } = await openPair()
  const { approval, outcome } = await holdCall(here, write)
  await revoke(here.store, "agent", here.clock.now)
  const refusal = { code: "already-settled", status: "cancelled" }
  expect(await deaf.gate.answer(yes(approval))).toMatchObject({ ok: false, refusal })
  expect(await outcome).toMatchObject({ ...refused, refusal: { reason: expect.stringContaining("token was revoked") } })
  expect(here.runs).toEqual([])
})

it("a call that failed is not run anew for a credential that was revoked", async () => {
  const { here } = await openPair()
  const failing = { gate: here.gate, run: async () => ({ kind: "failed", error: "no" }) as const }
  const { approval, outcome } = await holdCall(failing, write)
  await here.gate.answer(yes(approval))
  await outcome
  await revoke(here.store, "agent", here.clock.now)
  const again = await here.gate.rerun(approval.id, approval.runDigest, ana)
  expect(again).toMatchObject({ ok: false, refusal: { code: "forbidden-by-policy" } })
  expect(await here.store.countApprovals({})).toBe(1)
})

it("whoever gets the name later makes calls, and takes over none", async () => {
  const { here } = await openPair()
  const old = await holdCall(here, write)
  await revoke(here.store, "agent", here.clock.now)
  here.clock.now += 10
  await giveAnew(here.store, "agent", here.clock.now)
  expect(await here.gate.answer(yes(old.approval))).toMatchObject({ ok: false })
  expect((await here.submit(read)).kind).toBe("result")
  const own = await holdCall(here, { ...write, args: { path: "/ws/b" } })
  expect(await here.gate.answer(yes(own.approval))).toMatchObject({ ok: true })
  expect((await own.outcome).kind).toBe("result")
  await revoke(here.store, "agent", here.clock.now)
  expect(await here.submit(read)).toMatchObject(refused)
})

const isAgent = (principal: string): boolean => principal === "agent"

it("sessions that have ended are left as they are, and what waits in one is cancelled", async () => {
  const engine = await openEngine()
  for (const id of ["s1", "s2", "s3"]) await engine.gate.endSession({ ...write.session, id })
  const { outcome } = await holdCall(engine, write)
  const others = await holdCall(engine, { ...write, ...agent("other") })
  await engine.gate.endRevokedSessions(isAgent, engine.clock.now + 1)
  expect(await outcome).toMatchObject(refused)
  expect(await engine.store.records({ types: ["session.ended"], limit: 20 })).toHaveLength(3)
  expect(await engine.store.approval(others.approval.id)).toMatchObject({ status: "pending" })
  await engine.gate.cancel(others.approval.id, "other")
  await others.outcome
})

it.each([
  { name: "its session's end", end: ({ gate }: Engine) => gate.endSession(write.session) },
  { name: "a revocation", end: ({ gate, clock }: Engine) => gate.endRevokedSessions(isAgent, clock.now + 1) },
])("what waits is cancelled by $name even where that of the session cannot be recorded", async ({ end }) => {
  const clock = { now: 1_800_000_000_000 }
  const store = memoryStore(clock)
  const sessionState: Store["sessionState"] = () => Promise.reject(new StoreError("busy", "not now"))
  const engine = await openEngine(policyOf([]), { clock, store: { ...store, sessionState } })
  const held = await holdCall(engine, write)
  await expect(end(engine)).rejects.toThrow("not now")
  expect(await held.outcome).toMatchObject(refused)
})

it("no call of an agent run runs once the token that started the run is revoked", async () => {
  const clock = { now: 1_800_000_000_000 }
  const store = memoryStore(clock)
  const calls = ["files(write)", "files(read)"].map((tool) => ({ calls: [{ tool, args: {} }] }))
  const world = await openRuns([...calls, { say: "Done." }], { clock, store })
  const order = { messages: [{ role: "user" as const, content: "write, then read" }], servers: ["files"] }
  const started = await world.runs.start(order, { kind: "runner", id: "ci" })
  if (!started.ok) throw new Error(started.refusal.code)
  const run = await settled(world, started.run.id)
  const [held] = await world.runs.waitsFor(run)
  if (held === undefined) throw new Error("nothing waits")
  await revoke(store, "ci", clock.now)
  expect(await world.gate.answer(yes(held.approval))).toMatchObject({ ok: false, refusal: { status: "cancelled" } })
  await comesTo(world, run.id, "finished")
  expect(world.tools.dispatched).toEqual([])
})

it.each([
  { name: "the token that started the run is revoked", end: (store: Store, at: EpochMs) => revoke(store, "ci", at) },
  {
    name: "the run is cancelled",
    end: (_: Store, __: EpochMs, run: string, gate: Gate) => gate.cancelRun(run, { by: "ana", detail: "no longer." }),
  },
])("a call that policy allowed to an agent run may not be sent any more once $name", async ({ end }) => {
  const clock = { now: 1_800_000_000_000 }
  const store = memoryStore(clock)
  const said: boolean[] = []
  const look = async ({ gate }: World): Promise<void> => {
    const [run] = await gate.runs({ limit: 1 })
    if (run === undefined) throw new Error("no run")
    const session = runSession(run)
    const call = { tool: { server: "files", tool: "read" }, principal: principalOfRun(run), session }
    said.push(await gate.mayStillRun(call, {}, null))
    await end(store, clock.now, run.id, gate)
    said.push(await gate.mayStillRun(call, {}, null))
  }
  const { promise: opened, resolve: open } = Promise.withResolvers<World>()
  const tools = countingTools(["read"], async () => {
    await look(await opened)
    return { kind: "failed", error: "not sent" }
  })
  const world = await openRuns([{ calls: [{ tool: "files(read)", args: {} }] }, { say: "Done." }], {
    clock,
    store,
    tools,
  })
  open(world)
  const order = { messages: [{ role: "user" as const, content: "read" }], servers: ["files"] }
  const started = await world.runs.start(order, { kind: "runner", id: "ci" })
  if (!started.ok) throw new Error(started.refusal.code)
  await expect.poll(() => said).toEqual([true, false])
  await world.runs.close()
})

it("sessions of whoever got the name later keep their mode", async () => {
  const engine = await openEngine()
  const [old, young] = ["old", "young"].map((id) => ({ ...write.session, id }))
  if (old === undefined || young === undefined) throw new Error("two sessions")
  await engine.gate.setMode(old, "observe", { reviewer: ana })
  engine.clock.now += 10
  const until = engine.clock.now
  await engine.gate.setMode(young, "observe", { reviewer: ana })
  await engine.gate.endRevokedSessions(isAgent, until)
  expect(await engine.store.session(old)).toMatchObject({ mode: "ask", endedAt: until })
  expect(await engine.store.session(young)).toMatchObject({ mode: "observe", endedAt: null })
})
