import { setupBytes } from "@byleave/core"
import { type RunsOptions, readJournal } from "@byleave/runs"
import { storyOf } from "@byleave/runs/story"
import { expect, it } from "vitest"
import { policyOf, rule } from "../engine/open-engine.ts"
import { called, calls, type GivenModel, givenModel, hangingAfter, said, says } from "./given-model.ts"
import { answer, comesTo, mustBePaused, openRuns, settled, starter, type World } from "./open-runs.ts"

it("a leg that a person stops keeps what the model had said, and the next message comes after it", async () => {
  const model = givenModel(() => hangingAfter(...said("I was about to")), says("Then not."))
  const world = await openRuns([], { openModel: async () => model })
  const order = { messages: [{ role: "user" as const, content: "Write." }], servers: [] }
  const started = await world.runs.start(order, starter)
  if (!started.ok) throw new Error(started.refusal.code)
  const { id } = started.run
  const heard: string[] = []
  world.runs.watch(id, (news) => {
    if (news.type === "part" && news.part.type === "text-delta") heard.push(news.part.text)
  })
  await expect.poll(() => heard.join("")).toBe("I was about to")
  const stopped = await world.runs.stop(id, "ana")
  expect(stopped).toMatchObject({ ok: true, run: { status: "failed", stoppedBy: "ana", retryable: true } })
  const { items } = await storyOf(world.gate, id, 0)
  expect(items).toMatchObject([
    { kind: "message", text: "Write." },
    { kind: "answer", text: "I was about to" },
    { kind: "leg-ended" },
  ])
  await world.runs.go(id, { messages: [{ role: "user", content: "Never mind." }] }, "ana")
  expect(await settled(world, id)).toMatchObject({ status: "finished" })
  const { messages } = await readJournal(world.gate, id)
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"])
  expect(world.troubles).toEqual([])
})

const write = { messages: [{ role: "user" as const, content: "Write." }], servers: [] }

/** Starts a run and stops it once the model has said the words. */
async function stoppedAfter(words: string, options: Pick<RunsOptions, "redactText" | "limits">) {
  const model = givenModel(() => hangingAfter(...said(words)))
  const world = await openRuns([], { openModel: async () => model, ...options })
  const started = await world.runs.start(write, starter)
  if (!started.ok) throw new Error(started.refusal.code)
  const { id } = started.run
  const heard: string[] = []
  world.runs.watch(id, (news) => {
    if (news.type === "part" && news.part.type === "text-delta") heard.push(news.part.text)
  })
  await expect.poll(() => heard.join("")).toBe(words)
  const stopped = await world.runs.stop(id, "ana")
  if (!stopped.ok) throw new Error(stopped.refusal.code)
  return { run: stopped.run, journal: await readJournal(world.gate, id) }
}

it("what a stopped model had said is stored without secrets, and counts among what the run takes", async () => {
  const redactText = (text: string) => text.replaceAll("s3cret", "[hidden]")
  const { run, journal } = await stoppedAfter("The key is s3cret.", { redactText })
  expect(journal.messages.at(-1)).toMatchObject({ role: "assistant", content: "The key is [hidden]." })
  expect(run.bytes).toBe(journal.bytes + setupBytes(run.setup))
})

it("a run that was stopped counts the calls that it had begun", async () => {
  const model = givenModel(calls(called("c1", "files__read", "{}")), () => hangingAfter(...said("It says")))
  const world = await openRuns([], { openModel: async () => model, policy: policyOf([rule("allow", "files")]) })
  const started = await world.runs.start({ ...write, servers: ["files"] }, starter)
  if (!started.ok) throw new Error(started.refusal.code)
  await stopAfter(world, started.run.id, "It says")
  const run = await world.runs.get(started.run.id)
  const counted = (await readJournal(world.gate, started.run.id)).bytes + setupBytes(started.run.setup)
  expect(run).toMatchObject({ bytes: counted })
})

it("what a stopped model had said is not kept where the run has no room for it", async () => {
  const { journal } = await stoppedAfter('"'.repeat(700), { limits: { bytes: 2_000 } })
  expect(journal.messages).toMatchObject([{ role: "user" }])
})

/** Lets a run go on until the model has said the words, and stops it there. */
async function stopAfter(world: World, id: string, words: string): Promise<void> {
  const heard: string[] = []
  const stop = world.runs.watch(id, (news) => {
    if (news.type === "part" && news.part.type === "text-delta") heard.push(news.part.text)
  })
  await expect.poll(() => heard.join("")).toContain(words)
  stop()
  expect(await world.runs.stop(id, "ana")).toMatchObject({ ok: true })
}

const promptOf = (model: GivenModel): readonly string[] =>
  (model.prompts.at(-1) ?? []).map(({ role, content }) => {
    const parts =
      typeof content === "string" ? [content] : content.map((part) => ("text" in part ? part.text : part.type))
    return `${role}: ${parts.join(", ")}`
  })

it("stopped in its second step, the first is told before the next message, and its call does not run again", async () => {
  const model = givenModel(
    calls(...said("I read."), called("c1", "files__read", "{}")),
    () => hangingAfter(...said("It says")),
    says("As you like."),
  )
  const world = await openRuns([], { openModel: async () => model, policy: policyOf([rule("allow", "files")]) })
  const started = await world.runs.start({ ...write, servers: ["files"] }, starter)
  if (!started.ok) throw new Error(started.refusal.code)
  const { id } = started.run
  await stopAfter(world, id, "It says")
  await world.runs.go(id, { messages: [{ role: "user", content: "Never mind." }] }, "ana")
  expect(await settled(world, id)).toMatchObject({ status: "finished" })
  expect(promptOf(model)).toEqual([
    "user: Write.",
    "assistant: I read., tool-call",
    "tool: tool-result",
    "assistant: It says",
    "user: Never mind.",
  ])
  expect(world.tools.dispatched).toHaveLength(1)
  expect(world.troubles).toEqual([])
})

it("stopped after the model answered to decided calls, those are told with what became of them", async () => {
  const model = givenModel(
    calls(called("c1", "files__write", "{}"), called("c2", "files__delete", "{}")),
    calls(...said("Now I read."), called("c3", "files__read", "{}")),
    () => hangingAfter(...said("So far")),
    says("As you like."),
  )
  const policy = policyOf([rule("allow", "files(read)")])
  const world = await openRuns([], { openModel: async () => model, policy })
  const started = await world.runs.start({ ...write, servers: ["files"] }, starter)
  if (!started.ok) throw new Error(started.refusal.code)
  const { id } = started.run
  const { requirements } = mustBePaused(await comesTo(world, id, "paused"))
  await answer(world, requirements[0]?.approval ?? null, "approve")
  await answer(world, requirements[1]?.approval ?? null, "deny")
  await stopAfter(world, id, "So far")
  await world.runs.go(id, { messages: [{ role: "user", content: "Never mind." }] }, "ana")
  expect(await settled(world, id)).toMatchObject({ status: "finished" })
  expect(promptOf(model)).toEqual([
    "user: Write.",
    "assistant: tool-call, tool-call",
    "tool: tool-result, tool-result",
    "assistant: Now I read., tool-call",
    "tool: tool-result",
    "assistant: So far",
    "user: Never mind.",
  ])
  expect(world.tools.dispatched.map(({ tool }) => tool)).toEqual(["write", "read"])
  expect(world.troubles).toEqual([])
})
