/** Runs whose size was told before values counted beside their text. */
import { type AgentRun, setupBytes } from "@byleave/core"
import { readJournal } from "@byleave/runs"
import { expect, it } from "vitest"
import { called, calls, givenModel, says } from "../given-model.ts"
import {
  answer,
  comesTo,
  countingTools,
  mustBePaused,
  openRuns,
  settled,
  startPaused,
  startRun,
  type World,
} from "../open-runs.ts"

const rows = Array.from({ length: 1_000 }, (_, id) => ({ id, active: true }))
const result = { content: [{ type: "text", text: "rows" }], structuredContent: { rows } }
const tools = () => countingTools(undefined, async () => ({ kind: "succeeded", result }))
const read = calls(called("r1", "files__read", '{"path":"a"}'))
const write = (id: string) => calls(called(id, "files__write", '{"path":"b"}'))
const limits = { bytes: 100_000 }
const steps = [read, write("w1"), write("w2"), says("Done.")]

/** The run as a process left it that counted text alone. */
async function countedByText({ store, clock, gate }: World, id: string): Promise<AgentRun> {
  const run = await store.run(id)
  if (run === undefined) throw new Error("no run")
  const { bytes } = await readJournal(gate, id)
  const texts = (await store.journal(id, { after: 0, maxBytes: 1_000_000 })).reduce(
    (sum, { text }) => sum + Buffer.byteLength(text),
    0,
  )
  expect([bytes > limits.bytes, texts < limits.bytes]).toEqual([true, true])
  const next: AgentRun = { ...run, bytes: texts, version: run.version + 1 }
  const runs = [{ next, replaces: run.version }]
  await store.commit({ at: clock.now, runs, records: [], events: [], durability: "full" })
  return next
}

async function approveNext(world: World, id: string): Promise<void> {
  await answer(world, mustBePaused(await world.runs.get(id)).requirements[0]?.approval ?? null, "approve")
}

it("journal I6: its approved call runs and is told to the model; the next one is not sent, and words say what to do", async () => {
  const before = await openRuns([], { model: givenModel(...steps), tools: tools() })
  const { id } = await startPaused(before)
  await countedByText(before, id)
  await before.runs.close()
  const now = { tools: tools(), model: givenModel(...steps.slice(2)), store: before.store, clock: before.clock, limits }
  const world = await openRuns([], now)
  await approveNext(world, id)
  await expect.poll(async () => (await world.runs.get(id))?.legs).toBe(2)
  expect(await settled(world, id)).toMatchObject({ status: "paused" })
  expect(JSON.stringify(now.model.prompts.at(-1))).toContain("w1")
  expect(now.tools.dispatched).toHaveLength(1)
  await approveNext(world, id)
  expect(await comesTo(world, id, "failed")).toMatchObject({
    retryable: false,
    detail: expect.stringContaining("none of its calls was sent. Go on in a new run."),
  })
  expect(now.tools.dispatched).toHaveLength(1)
  const messages = [{ role: "user" as const, content: "and?" }]
  expect(await world.runs.go(id, { messages }, "ana")).toMatchObject({ refusal: { code: "run-too-large" } })
})

it("journal I6: a message to it that is accepted is answered, and only the first", async () => {
  const before = await openRuns([], { model: givenModel(read, says("Done.")), tools: tools() })
  const { id } = await startRun(before, "x")
  await countedByText(before, id)
  const model = givenModel(says("Still here."))
  const world = await openRuns([], { model, store: before.store, clock: before.clock, limits })
  const messages = [{ role: "user" as const, content: "and?" }]
  expect(await world.runs.go(id, { messages }, "ana")).toMatchObject({ ok: true })
  const run = await settled(world, id)
  expect(run).toMatchObject({ status: "finished" })
  expect(run.bytes).toBe((await readJournal(world.gate, id)).bytes + setupBytes(run.setup))
  expect(await world.runs.go(id, { messages }, "ana")).toMatchObject({ refusal: { code: "run-too-large" } })
})

it("journal I4: a run that was counted as it is now has no such room", async () => {
  const before = await openRuns([], { model: givenModel(...steps), tools: tools() })
  const { id } = await startPaused(before)
  await before.runs.close()
  const now = { tools: tools(), store: before.store, clock: before.clock, limits }
  const world = await openRuns([], { ...now, model: givenModel(says("Done.")) })
  await approveNext(world, id)
  expect(await comesTo(world, id, "failed")).toMatchObject({ retryable: false })
  expect(now.tools.dispatched).toEqual([])
})
