import { readJournal } from "@byleave/runs"
import { exportRun } from "@byleave/runs/state"
import { describe, expect, it } from "vitest"
import { newId, policyOf, rule } from "../engine/open-engine.ts"
import { bring, broughtRun, carry, carryLargeState, key } from "./carry-run.ts"
import { answer, countingTools, openRuns, settled, starter, startRun, type World } from "./open-runs.ts"

const steps = [
  {
    say: "I will tidy up.",
    calls: [
      { tool: "files(read)", args: { path: "a" } },
      { tool: "files(write)", args: { path: "b" } },
      { tool: "files(move)", args: { path: "c" } },
    ],
  },
  { say: "Done." },
]

async function approveAll(world: World, id: string): Promise<void> {
  const run = await world.runs.get(id)
  if (run?.status !== "paused") throw new Error(run?.status)
  for (const { approval } of run.requirements) if (approval !== null) await answer(world, approval, "approve")
}

describe("a run that is carried to another Byleave (R70, R71, R77, R79)", () => {
  it.each(["zstd", "gzip"] as const)(
    "ends here and goes on there, asked again what had not run (%s)",
    async (format) => {
      const here = await openRuns(steps)
      const started = await here.runs.start(
        {
          messages: [{ role: "user", content: "tidy my notes" }],
          servers: ["files"],
          instructions: "Be careful.",
          trace: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
          metadata: { ticket: "T-1" },
        },
        starter,
      )
      if (!started.ok) throw new Error(started.refusal.code)
      const paused = await settled(here, started.run.id)
      if (paused.status !== "paused") throw new Error(paused.status)
      await answer(here, paused.requirements[0]?.approval ?? null, "approve")
      const text = await carry(here, paused.id, format)
      expect(await here.runs.get(paused.id)).toMatchObject({ status: "cancelled", exportedAs: expect.any(String) })
      const left = await here.store.approvals({ session: paused.id, limit: 9 })
      expect(left.map(({ status }) => status)).toEqual(["cancelled", "cancelled"])

      const there = await openRuns(steps)
      const run = await broughtRun(there, text)
      expect(run).toMatchObject({ status: "paused", title: "tidy my notes", setup: paused.setup, usage: paused.usage })
      expect(there.tools.dispatched).toEqual([])
      expect((await there.runs.waitsFor(run)).map(({ approval }) => approval.args)).toEqual([
        { path: "b" },
        { path: "c" },
      ])
      await approveAll(there, run.id)
      await expect.poll(async () => (await there.runs.get(run.id))?.status).toBe("finished")
      expect(there.tools.dispatched.map(({ tool }) => tool).sort()).toEqual(["move", "write"])
      expect(there.asked).toHaveLength(1)
      const { usage } = (await there.runs.get(run.id)) ?? run
      expect(usage.total).toBeGreaterThan(paused.usage.total)
      const { messages } = await readJournal(there.gate, run.id)
      expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool", "tool", "assistant"])
      expect([...here.troubles, ...there.troubles]).toEqual([])
    },
  )

  it("is judged by the policy there: what it allows runs at once, what it denies is told, the rest waits", async () => {
    const here = await openRuns(steps)
    const text = await carry(here, (await startRun(here, "tidy my notes")).id)
    const policy = policyOf([rule("allow", "files(write)"), rule("deny", "files(delete)")])
    const there = await openRuns(steps, { policy })
    const run = await broughtRun(there, text)
    if (run.status !== "paused") throw new Error(run.status)
    expect(there.tools.dispatched).toEqual([{ tool: "write", args: { path: "b" } }])
    expect((await there.runs.waitsFor(run)).map(({ approval }) => approval.tool.tool)).toEqual(["move"])
    await there.runs.close()
    // In yet another process: what ran here does not run again.
    const later = await openRuns(steps, { store: there.store, clock: there.clock, policy })
    await approveAll(later, run.id)
    await expect.poll(async () => (await later.runs.get(run.id))?.status).toBe("finished")
    expect(later.tools.dispatched).toEqual([{ tool: "move", args: { path: "c" } }])
    const { messages } = await readJournal(later.gate, run.id)
    expect(JSON.stringify(messages)).toContain("write is done")
  })

  it("is carried again, with what has run meanwhile", async () => {
    const here = await openRuns(steps)
    const first = await carry(here, (await startRun(here, "tidy my notes")).id)
    const policy = policyOf([rule("allow", "files(write)")])
    const there = await openRuns(steps, { policy })
    const second = await carry(there, (await broughtRun(there, first)).id)
    const further = await openRuns(steps, { policy })
    const run = await broughtRun(further, second)
    expect(run.status).toBe("paused")
    await approveAll(further, run.id)
    await expect.poll(async () => (await further.runs.get(run.id))?.status).toBe("finished")
    expect(further.tools.dispatched).toEqual([{ tool: "move", args: { path: "c" } }])
  })

  it("tells the model where the tool is gone or denied", async () => {
    const here = await openRuns(steps)
    const text = await carry(here, (await startRun(here, "tidy my notes")).id)
    const policy = policyOf([rule("deny", "files(write)", { reason: "Not here." }), rule("allow", "files(move)")])
    const there = await openRuns(steps, { policy, tools: countingTools(["read"]) })
    const run = await broughtRun(there, text)
    expect(run.status).toBe("finished")
    const { messages } = await readJournal(there.gate, run.id)
    expect(JSON.stringify(messages)).toContain("Not here.")
  })

  it("that had finished asks the model nothing, and goes on with a message", async () => {
    const here = await openRuns([{ say: "Hello." }])
    const text = await carry(here, (await startRun(here, "say hello")).id)
    const there = await openRuns([{ say: "Hello." }, { say: "Again." }])
    const run = await broughtRun(there, text)
    expect(run.status).toBe("finished")
    expect(there.asked).toHaveLength(0)
    expect((await there.runs.go(run.id, { messages: [{ role: "user", content: "again" }] }, "ana")).ok).toBe(true)
    expect((await settled(there, run.id)).status).toBe("finished")
    expect(there.asked).toHaveLength(1)
  })

  it("that had failed does what it had not done, and nothing twice", async () => {
    const calls = [{ tool: "files(read)", args: { path: "a" } }]
    const here = await openRuns([{ calls }, { fail: { status: 500, message: "overloaded" } }])
    const failed = await startRun(here, "read it")
    expect(failed.status).toBe("failed")
    const there = await openRuns([{ calls }, { say: "Read." }])
    const run = await broughtRun(there, await carry(here, failed.id))
    expect(run.status).toBe("finished")
    expect(there.tools.dispatched).toEqual([])
    expect(there.asked).toHaveLength(1)
  })
})

describe("a state that is not taken", () => {
  it("R78: is one that was used, also at the same time and where it came from", async () => {
    const here = await openRuns(steps)
    const id = (await startRun(here, "tidy my notes")).id
    const text = await carry(here, id)
    const both = await Promise.all([bring(here, text), bring(here, text)])
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await bring(here, text)).toMatchObject({ ok: false, refusal: { code: "state-used" } })
    expect(await here.store.countRuns({ statuses: ["running", "paused"] })).toBe(1)
  })

  it("is one of another principal or another starter", async () => {
    const here = await openRuns(steps)
    const text = await carry(here, (await startRun(here, "tidy my notes")).id)
    const foreign = { ok: false, refusal: { code: "state-foreign" } }
    expect(await bring(here, text, { only: { principal: "chat" } })).toMatchObject(foreign)
    expect(await bring(here, text, { only: { startedBy: { kind: "runner", id: "ana" } } })).toMatchObject(foreign)
    expect(await bring(here, text, { only: { principal: "run", startedBy: starter } })).toMatchObject({ ok: true })
  })

  it("is one of a run that was exported before, is under way or is not there", async () => {
    const here = await openRuns(steps)
    const id = (await startRun(here, "tidy my notes")).id
    const away = (of: string) => exportRun({ gate: here.gate, key, newId }, of, { by: "ana" })
    const both = await Promise.all([away(id), away(id)])
    expect(both.map((one) => (one.ok ? "ok" : one.refusal.code)).sort()).toEqual(["ok", "run-ended"])
    expect(await away(id)).toMatchObject({ ok: false, refusal: { code: "run-ended" } })
    expect(await away("nobody")).toMatchObject({ ok: false, refusal: { code: "run-not-found" } })
    const never = Promise.withResolvers<never>()
    const busy = await openRuns([{ calls: [{ tool: "files(read)", args: {} }] }], {
      tools: countingTools(["read"], () => never.promise),
    })
    const begun = await busy.runs.start({ messages: [{ role: "user", content: "go" }], servers: ["files"] }, starter)
    if (!begun.ok) throw new Error(begun.refusal.code)
    const refusal = { code: "run-under-way" }
    const ports = { gate: busy.gate, key, newId }
    expect(await exportRun(ports, begun.run.id, { by: "ana" })).toMatchObject({ ok: false, refusal })
  })
})

it("R73: a large state is carried again and again", async () => {
  const { bytes } = await carryLargeState({ reads: 1, times: 2 })
  expect(bytes).toBeGreaterThan(1_700_000)
})
