/** Calls that wait for a server on stdio to read its input, and what changes meanwhile. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Gate, Policy } from "@byleave/core"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import {
  approve,
  ask,
  callOf,
  gateOn,
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
  withTasks,
} from "./fixtures/open-relay.ts"

const program = fileURLToPath(new URL("./fixtures/late-reader.ts", import.meta.url))
const allowing = policyOf([rule("allow", "late")])
const asking = policyOf([rule("allow", "late(wait)"), rule("allow", "late(fill)"), rule("ask", "late(act)")])
/** More than a pipe takes: what comes after it waits here. */
const large = { text: "x".repeat(2 * 1024 * 1024) }

let folder: string
let relay: Relay | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "late-reader-"))
})
afterEach(async () => {
  vi.useRealTimers()
  goOn()
  await relay?.close()
  relay = null
  rmSync(folder, { recursive: true, force: true })
})

const at = (name: string): string => join(folder, name)
const goOn = (): void => writeFileSync(at("go-on"), "")
const seen = (): readonly string[] =>
  existsSync(at("seen")) ? readFileSync(at("seen"), "utf8").trimEnd().split("\n") : []

/** From `deafen` on it takes its time with cancellations; that resolves with the first. */
async function lateGate(policy: Policy) {
  const store = memoryStore()
  const gate = await gateOn(store, policy)
  let hear: (() => void) | null = null
  const cancel: Gate["cancel"] = (...asked) => {
    hear?.()
    return hear === null ? gate.cancel(...asked) : new Promise(() => {})
  }
  const deafen = (): Promise<void> =>
    new Promise((resolve) => {
      hear = resolve
    })
  return { store, gate: { ...gate, cancel }, deafen }
}

/** A server that reads nothing more, with a large call in its input. */
async function open(policy = allowing, times: RelaySetting["times"] = {}) {
  const args = [program, at("go-on"), at("seen")]
  const transport = { kind: "stdio", command: process.execPath, args, env: new Map(), cwd: "/" } as const
  const { gate, store, deafen } = await lateGate(policy)
  relay = await openRelay([{ id: "late", transport }], { times, gate, store })
  const backend = relay.backend("late")
  const allowed = async () => (await store.records({ types: ["call.allowed"], limit: 100 })).length
  const begin = async (name: string, more: Parameters<typeof ask>[4] = {}, args = {}) => {
    const before = await allowed()
    const calling = ask(backend, legacyCaller(), callOf(name, args), undefined, more)
    await expect.poll(allowed).toBe(before + 1)
    return calling
  }
  await resultOf(ask(backend, legacyCaller(), { method: "tools/list" }))
  const waiting = await begin("wait")
  await expect.poll(seen).toEqual(["wait"])
  const filling = await begin("fill", {}, large)
  // Of what comes now nothing is handed over before the large call is.
  await expect.poll(seen).toEqual(["wait", "(more came)"])
  const readAll = async (): Promise<readonly string[]> => {
    goOn()
    await Promise.all([waiting, filling].map(resultOf))
    await resultOf(ask(backend, legacyCaller(), callOf("fill")))
    return seen().slice(2)
  }
  return { gate, backend, begin, readAll, deafen }
}

const changed = { isError: true, _meta: { "byleave/changed": {} } }
const withdrawn = { isError: true, _meta: { "byleave/withdrawn": {} } }
const quarantine = (gate: Gate) => gate.quarantine({ server: "late", tool: "act" }, reviewer)
const forbid = (gate: Gate) =>
  gate.replacePolicy(policyOf([rule("deny", "late(act)"), rule("allow", "late(fill)")]), null)

describe("carry I3: a call that waits until its server reads", () => {
  it("is sent when nothing changed", async () => {
    const { begin, readAll } = await open()
    const calling = await begin("act")
    expect(await readAll()).toEqual(["fill", "act", "fill"])
    expect(await resultOf(calling)).not.toHaveProperty("isError")
  })

  it.each<[string, (gate: Gate) => Promise<unknown>]>([
    ["puts its tool in quarantine", quarantine],
    ["denies it by a rule", forbid],
  ])("is not sent when somebody %s meanwhile, though it was allowed", async (_, change) => {
    const { gate, begin, readAll } = await open()
    const calling = await begin("act")
    await change(gate)
    expect(await readAll()).toEqual(["fill", "fill"])
    expect(await resultOf(calling)).toMatchObject(changed)
  })

  it("is not sent when somebody denies it meanwhile, though it was approved", async () => {
    const { gate, backend, readAll } = await open(asking)
    const held = nextHeld(gate)
    const calling = ask(backend, legacyCaller(), callOf("act"))
    const approval = await held
    await approve(gate, approval)
    await expect.poll(async () => (await gate.approval(approval.id))?.status).toBe("running")
    await forbid(gate)
    expect(await readAll()).toEqual(["fill", "fill"])
    expect(await resultOf(calling)).toMatchObject(changed)
    expect(await gate.approval(approval.id)).toMatchObject({ status: "failed" })
  })

  it("is sent when what changes meanwhile says nothing against it", async () => {
    const { gate, begin, readAll } = await open()
    const calling = await begin("act")
    await gate.quarantine({ server: "late", tool: "other" }, reviewer)
    expect(await readAll()).toEqual(["fill", "act", "fill"])
    expect(await resultOf(calling)).not.toHaveProperty("isError")
  })
})

describe("still-allowed I2: a call that waits until its server reads", () => {
  it("is not sent after the permission that allowed it has ended", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const { gate, begin, readAll } = await open(asking)
    const breadth = { kind: "tool", server: "late", tool: "act" } as const
    await gate.addGrant({ effect: "allow", breadth, until: Date.now() + 60_000 }, reviewer)
    const calling = await begin("act")
    vi.setSystemTime(Date.now() + 120_000)
    expect(await readAll()).toEqual(["fill", "fill"])
    expect(await resultOf(calling)).toMatchObject(changed)
  })
})

describe("peer I4, carry I5: a call that waits until its server reads", () => {
  it("is not sent once its client withdrew it", async () => {
    const { begin, readAll } = await open()
    const calling = await begin("act")
    calling.withdraw()
    expect(await resultOf(calling)).toMatchObject(withdrawn)
    expect(await readAll()).toEqual(["fill", "fill"])
  })

  it("is not sent once its client is gone for good", async () => {
    const { begin, readAll } = await open()
    let isOver = false
    const calling = await begin("act", { isGone: () => isOver })
    isOver = true
    expect(await readAll()).toEqual(["fill", "fill"])
    expect(await resultOf(calling)).toMatchObject(withdrawn)
  })

  it("is not sent once its client is gone for good, though that was told of a task", async () => {
    const { gate, backend, readAll } = await open(asking)
    const caller = modernCaller({ abilities: withTasks })
    const held = nextHeld(gate)
    let isOver = false
    const told = await resultOf(ask(backend, caller, callOf("act"), undefined, { isGone: () => isOver }))
    expect(told).toMatchObject({ resultType: "task" })
    const { id } = await held
    await approve(gate, await held)
    await expect.poll(async () => (await gate.approval(id))?.status).toBe("running")
    isOver = true
    expect(await readAll()).toEqual(["fill", "fill"])
    await expect.poll(async () => (await gate.approval(id))?.status).toBe("failed")
    expect(await gate.approval(id)).toMatchObject({ error: withdrawn })
  })

  it("is not sent once the client of its task cancelled that, before the gate has heard of it", async () => {
    const { gate, backend, readAll, deafen } = await open(asking)
    const caller = modernCaller({ abilities: withTasks })
    const held = nextHeld(gate)
    const { taskId } = await resultOf(ask(backend, caller, callOf("act")))
    const { id } = await held
    await approve(gate, await held)
    await expect.poll(async () => (await gate.approval(id))?.status).toBe("running")
    const cancelling = deafen()
    void ask(backend, caller, { method: "tasks/cancel", params: { taskId: String(taskId) } }).reply
    await cancelling
    expect(await readAll()).toEqual(["fill", "fill"])
    await expect.poll(async () => (await gate.approval(id))?.status).toBe("failed")
  })

  it("is not sent once the client that came back to it withdrew it, before the gate has heard of it", async () => {
    const { gate, backend, readAll, deafen } = await open(asking, { legMs: 1_000 })
    const held = nextHeld(gate)
    const first = ask(backend, modernCaller(), callOf("act"))
    const { id } = await held
    await approve(gate, await held)
    await expect.poll(async () => (await gate.approval(id))?.status).toBe("running")
    const { requestState } = await resultOf(first)
    const waits = Promise.withResolvers<void>()
    const again = callOf("act", {}, { requestState: String(requestState) })
    const second = ask(backend, modernCaller(), again, undefined, { keepOpen: waits.resolve })
    await waits.promise
    const cancelling = deafen()
    second.withdraw()
    await cancelling
    expect(await readAll()).toEqual(["fill", "fill"])
    await expect.poll(async () => (await gate.approval(id))?.status).toBe("failed")
  })

  it("is not sent when the server is stopped", async () => {
    const { begin } = await open()
    const calling = await begin("act")
    const closing = relay?.close()
    goOn()
    await closing
    expect(await resultOf(calling)).toMatchObject({ isError: true, _meta: { "byleave/unreachable": {} } })
    expect(seen()).not.toContain("act")
  })
})
