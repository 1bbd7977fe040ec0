import { setupBytes } from "@byleave/core"
import { readJournal } from "@byleave/runs"
import { describe, expect, it } from "vitest"
import { called, calls, givenModel, says, streamOf } from "../given-model.ts"
import {
  answer,
  comesTo,
  countingTools,
  mustBePaused,
  openRuns,
  settled,
  starter,
  startPaused,
  startRun,
} from "../open-runs.ts"

const write = (id: string, path = "a") => called(id, "files__write", JSON.stringify({ path }))
const read = (id: string, path = "a") => called(id, "files__read", JSON.stringify({ path }))
const order = { messages: [{ role: "user" as const, content: "x" }], servers: ["files"] }

describe("what runs may take", () => {
  it("too many of one starter, and too many in all, are refused in words; those that are over do not count", async () => {
    const model = givenModel(calls(write("w1")), says("Done."))
    const world = await openRuns([], { model, limits: { openPerStarter: 1, openInAll: 2 } })
    const first = await startPaused(world)
    const refused = await world.runs.start(order, starter)
    expect(refused).toMatchObject({
      ok: false,
      refusal: { code: "too-many-runs", detail: expect.stringContaining("1") },
    })
    const ben = { kind: "reviewer", id: "ben" } as const
    expect(await world.runs.start(order, ben)).toMatchObject({ ok: true })
    expect(await world.runs.start(order, { kind: "runner", id: "ana" })).toMatchObject({
      ok: false,
      refusal: { code: "too-many-runs", detail: expect.stringContaining("limit is 2") },
    })
    await world.runs.cancel(first.id, "ana")
    expect(await world.runs.start(order, starter)).toMatchObject({ ok: true })
  })

  it("a tool that people deny too often in one run is blocked in that run, and not in others", async () => {
    const again = [0, 1, 2, 3].map((n) => calls(write(`w${n}`, `p${n}`)))
    const world = await openRuns([], { model: givenModel(...again, says("I give up.")) })
    const first = await startPaused(world)
    for (const denied of [1, 2, 3]) {
      const { requirements } = mustBePaused(await world.runs.get(first.id))
      await answer(world, requirements[0]?.approval ?? null, "deny")
      await expect.poll(async () => (await world.runs.get(first.id))?.legs).toBe(denied + 1)
      await settled(world, first.id)
    }
    await comesTo(world, first.id, "finished")
    expect(JSON.stringify((await readJournal(world.gate, first.id)).messages)).toContain("was denied too often")
    const other = await openRuns([], { model: givenModel(...again), store: world.store })
    expect(await startPaused(other)).toMatchObject({ status: "paused", requirements: [{}] })
  })

  it("a task, or a message, that is too large is refused before anything is written", async () => {
    const world = await openRuns([], { model: givenModel(says("Done.")), limits: { bytes: 10_000 } })
    const long = [{ role: "user" as const, content: "ä".repeat(6_000) }]
    expect(await world.runs.start({ ...order, messages: long }, starter)).toMatchObject({
      ok: false,
      refusal: {
        code: "run-too-large",
        detail:
          "A run may have 9 kB of messages, results and settings at the most; each value in them counts as 60 bytes beside its text.",
      },
    })
    const { id } = await startRun(world, "x")
    expect(await world.runs.go(id, { messages: long }, "ana")).toMatchObject({
      ok: false,
      refusal: { code: "run-too-large" },
    })
    expect((await world.runs.get(id))?.status).toBe("finished")
  })

  it("settings that are kept with a run count as its messages do: at a start, with a message, and among its starter's", async () => {
    const world = await openRuns([], {
      model: givenModel(says("Done."), says("Done.")),
      limits: { bytes: 10_000, openBytesPerStarter: 15_000 },
    })
    const face = (length: number) => ({ kind: "page", note: "f".repeat(length) })
    const tooLarge = { ok: false, refusal: { code: "run-too-large" } }
    const messages = [{ role: "user" as const, content: "x" }]
    expect(await world.runs.start({ ...order, messages, face: face(10_000) }, starter)).toMatchObject(tooLarge)
    expect(await world.runs.start({ ...order, messages, instructions: "i".repeat(10_000) }, starter)).toMatchObject(
      tooLarge,
    )
    const started = await world.runs.start({ ...order, messages, face: face(8_000) }, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    const refusal = { code: "too-many-runs" }
    expect(await world.runs.start({ ...order, messages, face: face(8_000) }, starter)).toMatchObject({ refusal })
    const { id, bytes } = await settled(world, started.run.id)
    expect(bytes).toBe((await readJournal(world.gate, id)).bytes + setupBytes(started.run.setup))
    expect(await world.runs.go(id, { messages, setup: { face: face(9_900) } }, "ana")).toMatchObject(tooLarge)
    expect(await world.runs.go(id, { messages, setup: { face: face(100) } }, "ana")).toMatchObject({ ok: true })
    expect((await settled(world, id)).bytes).toBeGreaterThanOrEqual(bytes)
  })

  it("an answer that would be too much ends the run in words, and is not kept", async () => {
    const endless = () =>
      streamOf(
        (function* () {
          yield { type: "text-start" as const, id: "t" }
          for (let n = 0; n < 100_000; n++) yield { type: "text-delta" as const, id: "t", delta: "on and on " }
        })(),
      )
    const world = await openRuns([], { model: givenModel(endless), limits: { bytes: 20_000 } })
    const run = await startRun(world, "x")
    expect(run).toMatchObject({ status: "failed", retryable: false, detail: expect.stringContaining("19 kB") })
    expect((await readJournal(world.gate, run.id)).bytes).toBeLessThan(20_000)
  })

  it("a result that would be too much is told as that, and the run goes on", async () => {
    const tools = countingTools(undefined, async () => ({
      kind: "succeeded",
      result: { content: [{ type: "text", text: "r".repeat(50_000) }] },
    }))
    const model = givenModel(calls(read("r1")), says("Done."))
    const world = await openRuns([], { model, tools, limits: { bytes: 20_000 } })
    const run = await startRun(world, "x")
    expect(run).toMatchObject({ status: "finished" })
    expect(JSON.stringify(model.prompts.at(-1))).toContain("more than this run can keep")
    expect(run.bytes).toBeLessThanOrEqual(20_000)
    expect(tools.dispatched).toHaveLength(1)
  })

  it("an image that nobody can read is told as that, and the run goes on", async () => {
    const tools = countingTools(undefined, async () => ({
      kind: "succeeded",
      result: { content: [{ type: "image", data: "!no base64!", mimeType: "image/png" }] },
    }))
    const model = givenModel(calls(read("r1")), says("Done."))
    expect(await startRun(await openRuns([], { model, tools }), "x")).toMatchObject({ status: "finished" })
    expect(JSON.stringify(model.prompts.at(-1))).toContain("The image of this result cannot be read.")
  })

  it("a run that waits is taken up however large it is: answers are not refused", async () => {
    const model = givenModel(calls(write("w1", "p".repeat(3_000))), says("Done."))
    const world = await openRuns([], { model })
    const { id, requirements } = await startPaused(world)
    await world.runs.close()
    const small = await openRuns([], { model, store: world.store, clock: world.clock, limits: { bytes: 5_000 } })
    await answer(small, requirements[0]?.approval ?? null, "approve")
    expect(await comesTo(small, id, "failed")).toMatchObject({ retryable: false })
    expect(await small.runs.takeUp()).toBe(0)
  })

  it("no more legs at once than a process may; the others wait their turn, and a cancelled one gives up its place", async () => {
    let now = 0
    let most = 0
    const gates: Array<() => void> = []
    const model = givenModel(async () => {
      now += 1
      most = Math.max(most, now)
      await new Promise<void>((resolve) => gates.push(resolve))
      now -= 1
      return streamOf(says("Done."))
    })
    const world = await openRuns([], { model, limits: { legs: 2 } })
    const ids: string[] = []
    for (let n = 0; n < 6; n++) {
      const started = await world.runs.start(order, starter)
      if (started.ok) ids.push(started.run.id)
    }
    await expect.poll(() => gates.length).toBe(2)
    await world.runs.renewLeases()
    expect(await world.runs.takeUp()).toBe(0)
    await world.runs.cancel(ids[3] ?? "", "ana")
    await world.runs.cancel(ids[0] ?? "", "ana")
    while ((await world.gate.countRuns({ statuses: ["running"] })) > 0) {
      gates.shift()?.()
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    expect(most).toBe(2)
    expect(await world.gate.countRuns({ statuses: ["finished"] })).toBe(4)
    expect((await settled(world, ids[5] ?? "")).status).toBe("finished")
  })

  it("one starter's many runs do not keep another's from being carried out", async () => {
    const hanging = Promise.withResolvers<void>()
    const model = givenModel(async ({ prompt }) => {
      if (JSON.stringify(prompt).includes("slow")) await hanging.promise
      return streamOf(says("Done."))
    })
    const world = await openRuns([], { model, limits: { legs: 4 } })
    const slow = { ...order, messages: [{ role: "user" as const, content: "slow" }] }
    for (let n = 0; n < 20; n++) await world.runs.start(slow, { kind: "runner", id: "a" })
    const started = await world.runs.start(order, { kind: "runner", id: "b" })
    if (!started.ok) throw new Error(started.refusal.code)
    await comesTo(world, started.run.id, "finished")
    hanging.resolve()
    await expect.poll(() => world.gate.countRuns({ statuses: ["finished"] })).toBe(21)
  })

  const wide = { calls: 1_000, bytes: 1_000_000 }

  it("calls that wait for one run, and bytes of them, are so many; the next one is refused in words", async () => {
    const three = calls(write("w1"), write("w2"), write("w3", "p".repeat(400)))
    const limits = [
      { perRun: { ...wide, calls: 2 }, perStarter: wide },
      { perRun: { ...wide, bytes: 300 }, perStarter: wide },
    ]
    for (const waiting of limits) {
      const model = givenModel(three, says("Done."))
      const world = await openRuns([], { model, limits: { waiting } })
      const run = await startPaused(world)
      expect(run.requirements.map(({ toolCall }) => toolCall)).toEqual(["w1", "w2"])
      for (const { approval } of run.requirements) await answer(world, approval, "approve")
      await comesTo(world, run.id, "finished")
      expect(JSON.stringify(model.prompts.at(-1))).toMatch(/of this run are already waiting|can wait for approval/)
      expect(JSON.stringify(await world.store.records({ limit: 50 }))).toMatch(/too-many-waiting|too-much-held/)
    }
  })

  it("calls that wait for all runs of one starter are so many, whoever else has more", async () => {
    const waiting = { perRun: wide, perStarter: { ...wide, calls: 2 } }
    const model = givenModel(async ({ prompt }) =>
      streamOf(prompt.some(({ role }) => role === "tool") ? says("I cannot ask.") : calls(write("w1"))),
    )
    const world = await openRuns([], { model, limits: { waiting } })
    const paused = [await startPaused(world), await startPaused(world)]
    const third = await startRun(world, "x")
    expect(third.status).toBe("finished")
    expect(JSON.stringify(model.prompts.at(-1))).toContain("of this starter's runs are already waiting for approval")
    const other = await world.runs.start(order, { kind: "runner", id: "ana" })
    if (!other.ok) throw new Error(other.refusal.code)
    expect((await settled(world, other.run.id)).status).toBe("paused")
    await world.runs.cancel(paused[0]?.id ?? "", "ana")
    expect((await startRun(world, "x")).status).toBe("paused")
  })

  it("where others were faster, the pause fails in words, and can be tried again", async () => {
    const waiting = { perRun: wide, perStarter: { ...wide, calls: 1 } }
    const none = { runs: 0, bytes: 0, waiting: { calls: 0, bytes: 0 } }
    const world = await openRuns([], {
      model: givenModel(calls(write("w1"))),
      limits: { waiting },
      around: (gate) => ({ ...gate, openRuns: async () => none }),
    })
    const first = await startPaused(world)
    const late = await startRun(world, "x")
    expect(late).toMatchObject({ status: "failed", retryable: true, detail: expect.stringContaining("the limit is 1") })
    await world.runs.cancel(first.id, "ana")
    expect(await world.runs.go(late.id, {}, "ana")).toMatchObject({ ok: true })
    expect((await settled(world, late.id)).status).toBe("paused")
  })

  it("bytes of one starter's open runs are so many: at a start, with a message, and while a leg goes on", async () => {
    const tools = countingTools(undefined, async () => ({
      kind: "succeeded",
      result: { content: [{ type: "text", text: "r".repeat(3_000) }] },
    }))
    const model = givenModel(calls(write("w1", "p".repeat(2_000))), says("Done."))
    const world = await openRuns([], { model, tools, limits: { openBytesPerStarter: 10_000 } })
    const first = await startPaused(world)
    expect(first.bytes).toBeGreaterThan(4_000)
    const long = [{ role: "user" as const, content: "x".repeat(9_000) }]
    const refusal = { code: "too-many-runs", detail: expect.stringContaining("the limit is 9 kB") }
    expect(await world.runs.start({ ...order, messages: long }, starter)).toMatchObject({ ok: false, refusal })
    expect(await world.runs.start({ ...order, messages: long }, { kind: "runner", id: "b" })).toMatchObject({
      ok: true,
    })
    await answer(world, first.requirements[0]?.approval ?? null, "approve")
    const over = await comesTo(world, first.id, "failed")
    expect(over).toMatchObject({ detail: expect.stringContaining("that are not over") })
    expect(await world.runs.go(first.id, { messages: long }, "ana")).toMatchObject({ ok: false, refusal })
  })

  it("a message is added without reading the journal, and others have their turn while a long one is read", async () => {
    let pages = 0
    const pagesBefore: number[] = []
    const world = await openRuns([], {
      model: givenModel(says("Done.")),
      around: (gate) => ({
        ...gate,
        journal: (run, after) => {
          pages += 1
          return gate.journal(run, after)
        },
        changeRun: (id, eventFor, extra) => {
          if (extra?.lines?.[0]?.name.startsWith("input") === true) pagesBefore.push(pages)
          return gate.changeRun(id, eventFor, extra)
        },
      }),
    })
    const { id } = await startRun(world, "x")
    const long = [{ role: "user" as const, content: "x".repeat(900_000) }]
    for (let n = 0; n < 3; n++) {
      pages = 0
      expect(await world.runs.go(id, { messages: long }, "ana")).toMatchObject({ ok: true })
      await settled(world, id)
    }
    expect(pagesBefore).toEqual([0, 0, 0])
    let turns = 0
    const turning = setInterval(() => {
      turns += 1
    })
    await readJournal(world.gate, id)
    clearInterval(turning)
    expect(turns).toBeGreaterThan(1)
  })
})
