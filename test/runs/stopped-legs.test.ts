import { readJournal } from "@byleave/runs"
import { storyOf } from "@byleave/runs/story"
import { expect, it } from "vitest"
import { givenModel, hangingAfter, said, says } from "./given-model.ts"
import { openRuns, settled, starter } from "./open-runs.ts"

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
