/** Calls may have megabytes, and whoever carries one out may take as long as it likes: meanwhile nothing of it is kept in memory. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { Call, JsonObject, Run, RunOutcome } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { openSqliteStore } from "@byleave/store/sqlite"
import { afterEach, expect, it } from "vitest"
import { ana, callOf, openEngine, policyOf, rule, signer } from "./open-engine.ts"

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A run that ends when the test says so, and keeps nothing of what it is given. `begun`: with its arguments. */
function slowRun() {
  const end = Promise.withResolvers<RunOutcome>()
  const begun = Promise.withResolvers<WeakRef<object>>()
  const run: Run = (args) => {
    begun.resolve(new WeakRef(args))
    return end.promise
  }
  return { run, begun: begun.promise, end: () => end.resolve({ kind: "succeeded", result: "done" }) }
}

async function open(effect: "allow" | "ask") {
  const clock = { now: 1_800_000_000_000 }
  const folder = mkdtempSync(join(tmpdir(), "byleave-kept-"))
  folders.push(folder)
  const store = await openSqliteStore({ path: join(folder, "byleave.db"), hasher: nodeHasher, signer })
  return openEngine(policyOf([rule(effect, "files(write)")]), { clock, store })
}

/** The parts of a call that have to be gone. Made apart from the test, whose own variables would keep them. */
function largeCall(): { readonly call: Call; readonly parts: readonly WeakRef<object>[] } {
  const extraParams: JsonObject = { _meta: { note: "y".repeat(100) } }
  const call = { ...callOf("files(write)", { text: "x".repeat(100) }), extraParams }
  return { call, parts: [new WeakRef(call), new WeakRef(call.args), new WeakRef(extraParams)] }
}

async function untilGone(parts: readonly WeakRef<object>[]): Promise<void> {
  await expect
    .poll(() => {
      collect()
      return parts.map((part) => part.deref() === undefined)
    })
    .toEqual(parts.map(() => true))
}

it("submit I6: of a call that policy allows, while it runs", async () => {
  const { gate } = await open("allow")
  const { run, begun, end } = slowRun()
  const asked = () => {
    const { call, parts } = largeCall()
    return { outcome: gate.submit(call, run), parts }
  }
  const { outcome, parts } = asked()
  await untilGone([...parts, await begun])
  end()
  expect(await outcome).toMatchObject({ kind: "result", result: "done", approval: null })
  await gate.close()
})

it("submit I6: of a call that people are asked about, while it waits and while it runs", async () => {
  const { gate, store } = await open("ask")
  const { run, begun, end } = slowRun()
  const until = new Promise<never>(() => {})
  const asked = () => {
    const { call, parts } = largeCall()
    return { outcome: gate.submit(call, run, { until: () => until }), parts }
  }
  const { outcome, parts } = asked()
  await expect.poll(() => store.countApprovals({ statuses: ["pending"] })).toBe(1)
  await untilGone(parts)
  const [held] = await store.approvals({ statuses: ["pending"], limit: 1 })
  const { id = "", runDigest: digest = "" } = (await gate.approval(held?.id ?? "")) ?? {}
  expect(await gate.answer({ approval: id, kind: "approve", digest, reviewer: ana })).toMatchObject({ ok: true })
  await untilGone([await begun])
  end()
  expect(await outcome).toMatchObject({ kind: "result", result: "done", approval: id })
  await gate.close()
})
