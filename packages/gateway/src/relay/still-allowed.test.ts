/** Calls that wait for a turn at their server after they were judged, and what changes meanwhile. */
import type { Change, DecisionBasis, Gate, JsonObject, Store } from "@byleave/core"
import { afterEach, describe, expect, it, vi } from "vitest"
import {
  approve,
  ask,
  type Conversation,
  callOf,
  legacyCaller,
  memoryStore,
  modernCaller,
  nextHeld,
  openRelay,
  policyOf,
  type Relay,
  type RelaySetting,
  resultOf,
  reviewer,
  rule,
  textOf,
} from "./fixtures/open-relay.ts"
import { type PlainServer, type PlainSetting, plainServer, plainTool } from "./fixtures/plain-server.ts"

const opened: Relay[] = []
const servers: PlainServer[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
  for (const server of servers.splice(0)) await server.end()
})

const toolsOf = (description: string) => [plainTool("act", { description }), plainTool("slow")]
const policy = policyOf([rule("allow", "plain(slow)"), rule("ask", "plain(act)")])
const allowing = policyOf([rule("allow", "plain(slow)"), rule("allow", "plain(act)")])
/** As many as a server works on at once. */
const connections = 256

async function open(setting: PlainSetting, more: RelaySetting = { policy }) {
  const plain = await plainServer({ tools: toolsOf("adds a note"), ...setting })
  servers.push(plain)
  const relay = await openRelay([plain.server], more)
  opened.push(relay)
  return { plain, relay, gate: relay.gate, backend: relay.backend("plain") }
}

/** A server that is busy with slow calls until it is told otherwise. */
async function openBusy(setting: PlainSetting, more: RelaySetting = { policy }) {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const holds = (_: string, params: JsonObject) => (params.name === "slow" ? held : undefined)
  const all = await open({ ...setting, holds }, more)
  const { plain, backend } = all
  const acts = () => plain.seen("tools/call").filter(({ name }) => name === "act")
  /** From here on the next call of this agent has to wait. */
  const keepBusy = async (): Promise<void> => {
    await resultOf(ask(backend, legacyCaller(), { method: "tools/list" }))
    for (let n = 0; n < connections; n += 1) ask(backend, legacyCaller(), callOf("slow")).reply.catch(() => {})
    await expect.poll(() => plain.seen("tools/call").length).toBe(connections)
  }
  return { ...all, acts, keepBusy, release }
}

/** A call that was approved and waits for its turn. */
async function approvedAndWaiting({ backend, gate, keepBusy }: Awaited<ReturnType<typeof openBusy>>) {
  const held = nextHeld(gate)
  const calling = ask(backend, legacyCaller(), callOf("act"))
  const approval = await held
  await keepBusy()
  await approve(gate, approval)
  await expect.poll(async () => (await gate.approval(approval.id))?.status).toBe("running")
  return { calling, approval }
}

const changed = { isError: true, _meta: { "byleave/changed": {} } }

describe("carry I3: an approved call that waits for its turn", () => {
  it.each<[string, PlainSetting]>([
    ["a legacy server without sessions", {}],
    ["a modern server that cannot be listened to", { era: "modern" }],
  ])("is not sent to %s that was deployed anew with another tool meanwhile", async (_, setting) => {
    const busy = await openBusy(setting)
    const { calling, approval } = await approvedAndWaiting(busy)
    busy.plain.drain()
    busy.plain.list(toolsOf("runs it in a shell"))
    await busy.plain.begin()
    busy.release()
    expect(await resultOf(calling)).toMatchObject(changed)
    expect(busy.acts()).toEqual([])
    expect(await busy.gate.approval(approval.id)).toMatchObject({ status: "failed" })
  })

  it("is not sent when its tool has changed while the log level was told", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const holds = (method: string) => (method === "logging/setLevel" ? held : undefined)
    const answers = (method: string) => (method === "logging/setLevel" ? {} : undefined)
    const capabilities = { tools: {}, logging: {} }
    const { plain, gate, backend } = await open({ holds, answers, capabilities })
    const waiting = nextHeld(gate)
    const calling = ask(backend, modernCaller({ logLevel: "debug" }), callOf("act"))
    await approve(gate, await waiting)
    await expect.poll(() => plain.seen("logging/setLevel").length).toBe(1)
    plain.list(toolsOf("runs it in a shell"))
    release()
    expect(await resultOf(calling)).toMatchObject(changed)
    expect(plain.seen("tools/call")).toEqual([])
  })
})

describe("carry I5: a call whose client is gone for good while it waits for its turn", () => {
  it("is not sent, though it was approved and claimed", async () => {
    const busy = await openBusy({})
    let isOver = false
    const held = nextHeld(busy.gate)
    const calling = ask(busy.backend, legacyCaller(), callOf("act"), undefined, { isGone: () => isOver })
    const approval = await held
    await busy.keepBusy()
    await approve(busy.gate, approval)
    await expect.poll(async () => (await busy.gate.approval(approval.id))?.status).toBe("running")
    isOver = true
    calling.drop()
    busy.release()
    expect(await resultOf(calling)).toMatchObject({ isError: true, _meta: { "byleave/withdrawn": {} } })
    expect(busy.acts()).toEqual([])
    expect(await busy.gate.approval(approval.id)).toMatchObject({ status: "failed" })
  })

  it("is not sent, though policy allows it", async () => {
    const busy = await openBusy({}, { policy: allowing })
    await busy.keepBusy()
    let isOver = false
    const calling = ask(busy.backend, legacyCaller(), callOf("act"), undefined, { isGone: () => isOver })
    isOver = true
    calling.drop()
    busy.release()
    expect(await resultOf(calling)).toMatchObject({ isError: true, _meta: { "byleave/withdrawn": {} } })
    expect(busy.acts()).toEqual([])
  })
})

const actBreadth = { kind: "tool", server: "plain", tool: "act" } as const
const quarantine = (gate: Gate) => gate.quarantine({ server: "plain", tool: "act" }, reviewer)
const demand = (more: object) => (gate: Gate) =>
  gate.replacePolicy(policyOf([rule("allow", "plain(slow)"), rule("ask", "plain(act)", more)]), null)
const forbid = (gate: Gate) => gate.replacePolicy(policyOf([rule("deny", "plain(act)")]), null)

type Changes = {
  /** Lets the call run unasked; absent: a person approves it. */
  readonly before?: (relay: Relay) => Promise<unknown>
  readonly change: (relay: Relay) => Promise<unknown>
}

const { principal, session } = legacyCaller()
const person = (id: string) => ({ kind: "reviewer", id, version: 1, value: { createdAt: 1 }, expiresAt: null })
const revocation = { kind: "revocation", id: principal.id, version: 1, value: { until: null }, expiresAt: null }

/** As the service changes who may do what. */
function changeAccess(store: Store, subject: string, documents: NonNullable<Change["documents"]>): Promise<unknown> {
  const events = [{ type: "access.changed" as const, subject }]
  return store.commit({ at: Date.now(), documents, movesEpoch: true, records: [], events, durability: "full" })
}

/** A change of each thing that decisions rest on, after which the call may not run: what is added to them has to be here as well. */
const changesOf: Record<Exclude<keyof DecisionBasis, "epoch"> | "policy", Changes> = {
  policy: { change: ({ gate }) => forbid(gate) },
  pins: { change: ({ gate }) => quarantine(gate) },
  grants: {
    before: ({ gate }) => gate.addGrant({ effect: "allow", breadth: actBreadth }, reviewer),
    change: async ({ gate }) => {
      for (const { id } of await gate.grants()) await gate.revokeGrant(id, reviewer)
    },
  },
  sessions: {
    before: async ({ gate }) => {
      await gate.replacePolicy(policyOf([rule("allow", "plain(slow)")]), null)
      expect(await gate.setMode(session, "autonomous", { reviewer })).toEqual({ ok: true })
    },
    change: ({ gate }) => gate.endSession(session),
  },
  revocations: {
    change: ({ store }) => changeAccess(store, `token/${principal.id}`, [{ put: revocation, replaces: null }]),
  },
  people: {
    change: ({ store }) => changeAccess(store, "reviewer/ben", [{ put: person("ben"), replaces: null }]),
  },
}

describe("still-allowed I1: a call that waits for its turn", () => {
  it.each<[string, (gate: Gate) => Promise<unknown>]>([
    ["puts its tool in quarantine", quarantine],
    ["denies it by a rule", forbid],
    ["demands a second approval of it", demand({ approvals: 2 })],
    ["demands other reviewers of it", demand({ reviewers: ["finance"] })],
  ])("is not sent when somebody %s meanwhile, though it was approved", async (_, change) => {
    const busy = await openBusy({})
    const { calling, approval } = await approvedAndWaiting(busy)
    await change(busy.gate)
    busy.release()
    expect(await resultOf(calling)).toMatchObject(changed)
    expect(busy.acts()).toEqual([])
    expect(await busy.gate.approval(approval.id)).toMatchObject({ status: "failed" })
  })

  it.each<[string, (gate: Gate) => Promise<unknown>]>([
    ["puts its tool in quarantine", quarantine],
    ["denies it by a rule", forbid],
    ["wants to be asked about it", (gate) => gate.replacePolicy(policy, null)],
  ])("is not sent when somebody %s meanwhile, though it was allowed", async (_, change) => {
    const busy = await openBusy({}, { policy: allowing })
    const calling = await allowedAndWaiting(busy)
    await change(busy.gate)
    busy.release()
    expect(await resultOf(calling)).toMatchObject(changed)
    expect(busy.acts()).toEqual([])
  })

  it.each(Object.entries(changesOf))(
    "is not sent when the %s it rests on change meanwhile",
    async (_, { before, change }) => {
      const busy = await openBusy({})
      await before?.(busy.relay)
      const calling = before === undefined ? (await approvedAndWaiting(busy)).calling : await allowedAndWaiting(busy)
      await change(busy.relay)
      busy.release()
      expect(await resultOf(calling)).toMatchObject(changed)
      expect(busy.acts()).toEqual([])
    },
  )

  it("is sent when it was approved by as many as are demanded by then", async () => {
    const busy = await openBusy({})
    const { calling } = await approvedAndWaiting(busy)
    await demand({ remember: "never" })(busy.gate)
    busy.release()
    expect(textOf(await resultOf(calling))).toContain("ran in start 1")
  })

  it("is sent when a permission for one use let it run, which is used up by it", async () => {
    const busy = await openBusy({})
    await busy.gate.addGrant({ effect: "allow", breadth: actBreadth, uses: 1 }, reviewer)
    const calling = await allowedAndWaiting(busy)
    await busy.gate.quarantine({ server: "plain", tool: "slow" }, reviewer)
    busy.release()
    expect(textOf(await resultOf(calling))).toContain("ran in start 1")
  })

  it("is sent when what changes meanwhile says nothing against it", async () => {
    const busy = await openBusy({}, { policy: allowing })
    const calling = await allowedAndWaiting(busy)
    await busy.gate.quarantine({ server: "plain", tool: "slow" }, reviewer)
    busy.release()
    expect(textOf(await resultOf(calling))).toContain("ran in start 1")
  })
})

describe("still-allowed I2: a call that waits for its turn", () => {
  afterEach(() => void vi.useRealTimers())

  it.each([
    { name: "is not sent after the permission that allowed it has ended", policy, sent: 0 },
    { name: "is sent after that where a rule allows it", policy: allowing, sent: 1 },
  ])("$name", async ({ policy, sent }) => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const busy = await openBusy({}, { policy })
    const breadth = { kind: "tool", server: "plain", tool: "act" } as const
    await busy.gate.addGrant({ effect: "allow", breadth, until: Date.now() + 60_000 }, reviewer)
    const calling = await allowedAndWaiting(busy)
    vi.setSystemTime(Date.now() + 120_000)
    busy.release()
    await resultOf(calling)
    expect(busy.acts()).toHaveLength(sent)
  })
})

describe("still-allowed I3: a call that waits for its turn, where the gate is elsewhere", () => {
  it.each([
    { name: "is asked about again once the word is old", waits: 2_000, asked: 1 },
    { name: "is not asked about while the word counts", waits: 1_999, asked: 0 },
  ])("$name", async ({ waits, asked }) => {
    const clock = { elapsed: 0 }
    const word = { holdsMs: 2_000, elapsed: () => clock.elapsed }
    const busy = await openBusy({}, { policy: allowing, word })
    let looks = 0
    const calling = await allowedAndWaiting(busy)
    const { mayStillRun } = busy.gate
    Object.assign(busy.gate, {
      mayStillRun: (...given: Parameters<typeof mayStillRun>) => {
        looks += 1
        return mayStillRun(...given)
      },
    })
    clock.elapsed += waits
    busy.release()
    expect(textOf(await resultOf(calling))).toContain("ran in start 1")
    expect(looks).toBe(asked)
  })

  it("is sent on an answer that had to be asked for again, however long that took before", async () => {
    const clock = { elapsed: 0 }
    const word = { holdsMs: 2_000, elapsed: () => clock.elapsed }
    const busy = await openBusy({}, { policy: allowing, word })
    const calling = await allowedAndWaiting(busy)
    const { mayStillRun } = busy.gate
    let looks = 0
    const slowly: typeof mayStillRun = (call, args, approval, how) => {
      looks += 1
      clock.elapsed += 10_000
      how?.onAsked?.()
      return mayStillRun(call, args, approval, how)
    }
    Object.assign(busy.gate, { mayStillRun: slowly })
    clock.elapsed += 2_000
    busy.release()
    expect(textOf(await resultOf(calling))).toContain("ran in start 1")
    expect(looks).toBe(1)
  })
})

describe("still-allowed I4: a call that waits for its turn, where others change what the gate rests on", () => {
  it.each([
    { name: "is judged again where nothing was heard of them for too long", heard: 0, asked: 1 },
    { name: "is sent as it was judged where it was heard of them just now", heard: 1, asked: 0 },
  ])("$name", async ({ heard, asked }) => {
    const clock = { elapsed: 0, heardAt: 0 }
    const word = { holdsMs: 2_000, elapsed: () => clock.elapsed, heardAt: () => clock.heardAt }
    const busy = await openBusy({}, { policy: allowing, word })
    const calling = await allowedAndWaiting(busy)
    const { mayStillRun } = busy.gate
    let looks = 0
    const hearing: typeof mayStillRun = (...given) => {
      looks += 1
      clock.heardAt = clock.elapsed
      return mayStillRun(...given)
    }
    Object.assign(busy.gate, { mayStillRun: hearing })
    clock.elapsed += 2_000
    clock.heardAt += heard
    busy.release()
    expect(textOf(await resultOf(calling))).toContain("ran in start 1")
    expect(looks).toBe(asked)
  })

  it("may-still-run I7: is not sent once the lease of its run is over: it may have been taken for lost", async () => {
    const store = memoryStore()
    const others = { elapsed: () => 0, heardAt: () => 0, hear: async () => {} }
    const busy = await openBusy({}, { policy, store: Object.assign(store, { others }) })
    const { calling, approval } = await approvedAndWaiting(busy)
    const running = await store.approval(approval.id)
    if (running?.status !== "running") throw new Error("It does not run.")
    const next = { ...running, version: running.version + 1, leaseUntil: 0 }
    const approvals = [{ next, replaces: running.version }]
    await store.commit({ at: Date.now(), approvals, records: [], events: [], durability: "full" })
    await busy.gate.addGrant({ effect: "allow", breadth: actBreadth }, reviewer)
    busy.release()
    expect(await resultOf(calling)).toMatchObject(changed)
    expect(busy.acts()).toEqual([])
  })

  it("is not sent where they cannot be heard of", async () => {
    const clock = { elapsed: 0 }
    const word = { holdsMs: 2_000, elapsed: () => clock.elapsed, heardAt: () => 0 }
    const busy = await openBusy({}, { policy: allowing, word })
    const calling = await allowedAndWaiting(busy)
    Object.assign(busy.gate, { mayStillRun: () => Promise.reject(new Error("away")) })
    clock.elapsed += 2_000
    busy.release()
    expect(await resultOf(calling)).toMatchObject(changed)
    expect(busy.acts()).toEqual([])
  })
})

/** The gate has let it run by the time that its record is there. */
async function allowedAndWaiting({
  backend,
  relay,
  keepBusy,
}: Awaited<ReturnType<typeof openBusy>>): Promise<Conversation> {
  await keepBusy()
  const before = await allowedCalls(relay)
  const calling = ask(backend, legacyCaller(), callOf("act"))
  await expect.poll(() => allowedCalls(relay)).toBe(before + 1)
  return calling
}

async function allowedCalls({ store }: Relay): Promise<number> {
  return (await store.records({ types: ["call.allowed"], limit: 1_000 })).length
}

describe("carry I4: what a server's new session is sent", () => {
  it("is looked at again: nothing that is denied by then goes there", async () => {
    const gates: Gate[] = []
    let sessions = 0
    const holds = (method: string) => {
      if (method !== "initialize") return undefined
      sessions += 1
      return sessions < 2 ? undefined : gates[0]?.replacePolicy(policyOf([rule("deny", "plain(prompt:*)")]), null)
    }
    const answers = (method: string) => (method === "prompts/get" ? { messages: [] } : undefined)
    const { plain, gate, backend } = await open({ sessions: true, holds, answers }, { policy: policyOf([]) })
    gates.push(gate)
    const get = () => ask(backend, legacyCaller(), { method: "prompts/get", params: { name: "p" } }).reply
    expect(await get()).toMatchObject({ kind: "result" })
    plain.drain()
    await plain.begin()
    expect(await get()).toMatchObject({ kind: "error" })
    expect(sessions).toBe(2)
    // The first, and the one that the new server had no session for.
    expect(plain.seen("prompts/get").length).toBe(2)
  })
})
