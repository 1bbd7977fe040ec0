import { type Store, verifyAudit } from "@byleave/core"
import { ed25519Signer, nodeHasher } from "@byleave/core/node"
import { newMemoryDatabase } from "@byleave/store"
import { afterEach, describe, expect, it } from "vitest"
import { durableKinds, missing, openFrom, scratchStore } from "../faults/store-spec.ts"
import { ana, callOf, type Engine, holdCall, memoryStore, openEngine, policyOf, signer, yes } from "./open-engine.ts"

const write = callOf("files(write_file)", { path: "/ws/a", content: "x" })
const everything = { kind: "server", server: "files", access: "all" } as const

describe.each(["memory", ...durableKinds] as const)("gates that share a store: %s", { timeout: 60_000 }, (kind) => {
  const why = kind === "memory" ? null : missing(kind)
  const clock = { now: 0 }
  const opened: Store[] = []
  let afterwards: () => void = () => {}

  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
    afterwards()
  })

  /** Two gates, each on its own connection, and the check that what they recorded is one true story. */
  async function openPair(skip: (condition: boolean, note: string) => void) {
    skip(why !== null, why ?? "")
    clock.now = Date.now()
    const scratch = kind === "memory" ? null : scratchStore(kind)
    const database = newMemoryDatabase()
    const open = async (): Promise<Engine> => {
      const store = scratch === null ? memoryStore(clock, database) : await openFrom(scratch.spec)
      opened.push(store)
      return openEngine(policyOf([]), { clock, store })
    }
    const key = scratch === null ? signer : ed25519Signer(scratch.spec.key)
    afterwards = scratch?.dispose ?? (() => {})
    const here = await open()
    return { here, there: await open(), verify: () => verifyAudit(here.store, { hasher: nodeHasher, signer: key }) }
  }

  it("a verdict given at one wakes the call held at the other", async ({ skip }) => {
    const { here, there, verify } = await openPair(skip)
    const { approval, outcome } = await holdCall(here, write)
    expect(await there.gate.answer(yes(approval))).toMatchObject({ ok: true })
    expect((await outcome).kind).toBe("result")
    expect([here.runs.length, there.runs.length]).toEqual([1, 0])
    expect((await verify()).problems).toEqual([])
  })

  it("a permit given at one is consumed once at the other", async ({ skip }) => {
    const { here, there, verify } = await openPair(skip)
    const { approval, outcome } = await holdCall(here, write, Promise.resolve())
    expect((await outcome).kind).toBe("ticket")
    await here.gate.answer(yes(approval))
    expect(await there.submit(write)).toMatchObject({ kind: "result", approval: approval.id })
    expect((await holdCall(here, write)).approval.id).not.toBe(approval.id)
    expect([here.runs.length, there.runs.length]).toEqual([0, 1])
    expect((await verify()).problems).toEqual([])
  })

  it("a grant revoked at one is not used at the other", async ({ skip }) => {
    const { here, there } = await openPair(skip)
    const grant = await here.gate.addGrant({ effect: "allow", breadth: everything }, ana)
    expect((await there.submit(write)).kind).toBe("result")
    expect("id" in grant && (await here.gate.revokeGrant(grant.id, ana))).toBe(true)
    await holdCall(there, write)
    expect(there.runs).toHaveLength(1)
  })

  it("a definition that changes at one supersedes what waits at the other", async ({ skip }) => {
    const { here, there } = await openPair(skip)
    await here.gate.seeTools("files", [{ name: "write_file", description: "Writes." }])
    await there.gate.seeTools("files", [{ name: "write_file", description: "Writes." }])
    const { outcome } = await holdCall(here, write)
    await there.gate.seeTools("files", [{ name: "write_file", description: "Writes, and mails." }])
    expect(await outcome).toMatchObject({ refusal: { code: "superseded" } })
  })

  it("R61: a grant for good survives a restart, and so does what waits", async ({ skip }) => {
    const { here, there } = await openPair(skip)
    const { approval, outcome } = await holdCall(here, callOf("files(move)"))
    await here.gate.addGrant({ effect: "allow", breadth: { kind: "tool", server: "files", tool: "write_file" } }, ana)
    await here.gate.close()
    expect((await outcome).kind).toBe("ticket")
    expect((await there.submit(write)).kind).toBe("result")
    await there.gate.answer(yes(approval))
    expect(await there.submit(callOf("files(move)"))).toMatchObject({ kind: "result", approval: approval.id })
  })

  it("a run whose process fell silent becomes unknown, and can be run anew by a person", async ({ skip }) => {
    const { here, there: dead, verify } = await openPair(skip)
    let started: () => void = () => {}
    const running = new Promise<void>((resolve) => {
      started = resolve
    })
    const { approval } = await holdCall({ gate: dead.gate, run: () => new Promise<never>(() => started()) }, write)
    await dead.gate.answer(yes(approval))
    await running
    clock.now += 31_000
    expect(await here.gate.expireDue()).toBe(1)
    expect((await here.gate.approval(approval.id))?.status).toBe("unknown")
    const anew = await here.gate.rerun(approval.id, approval.runDigest, ana)
    expect(anew).toMatchObject({ ok: true, approval: { status: "approved", rerunOf: approval.id } })
    expect(await here.submit(write)).toMatchObject({ kind: "result" })
    expect(here.runs).toHaveLength(1)
    expect((await verify()).problems).toEqual([])
  })
})
