import { toldPart } from "@byleave/runs"
import { describe, expect, it } from "vitest"
import { called, calls, givenModel, says } from "./given-model.ts"
import { countingTools, openRuns, settled, starter, startRun } from "./open-runs.ts"
import { playRecording, recordingOf } from "./play-recording.ts"

const address = "http://reader.invalid/who-reads-this"

const parts = [
  { type: "image", image: address },
  { type: "file", data: address, mediaType: "image/png" },
  { type: "file", data: { type: "url", url: address }, mediaType: "image/png" },
]

describe.each(parts)("a message that names the address of a file: %j", (part) => {
  const messages = [{ role: "user", content: [{ type: "text", text: "hi" }, part] }]

  it("is refused by a run with a model that does not load it itself: nothing is loaded from here", async () => {
    const world = await openRuns([], { model: givenModel(says("I see.")) })
    const started = await world.runs.start({ messages: messages as never, servers: [] }, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    const run = await settled(world, started.run.id)
    expect(run).toMatchObject({ status: "failed", detail: expect.stringContaining("not loaded from here") })
    expect(world.asked).toEqual([])
  })

  it("is given as it is to a model that loads it itself", async () => {
    const model = { ...givenModel(says("I see.")), supportedUrls: { "*": [/^http/] } }
    const world = await openRuns([], { model })
    const started = await world.runs.start({ messages: messages as never, servers: [] }, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    expect(await settled(world, started.run.id)).toMatchObject({ status: "finished" })
    expect(JSON.stringify(model.prompts)).toContain(address)
  })

  it("is played again without being loaded", async () => {
    const lines = [
      { recording: { format: 1, of: "run" } },
      { leg: 1, ms: 0, request: { messages, servers: [] } },
      { leg: 1, ms: 1, event: { type: "model.answered", parts: says("I see.") } },
      { leg: 1, ms: 2, event: { type: "agent-run.finished" } },
      { end: { status: "finished" } },
    ]
    const recording = recordingOf(`${lines.map((line) => JSON.stringify(line)).join("\n")}\n`)
    expect(await playRecording(recording)).toMatchObject({ differences: [], steps: 1 })
  })
})

it("a result that names an address is told, and nothing is loaded", async () => {
  const content = [
    { type: "resource_link", uri: address, name: "a.png", mimeType: "image/png" },
    { type: "text", text: address },
  ]
  const tools = countingTools(undefined, async () => ({ kind: "succeeded", result: { content } }))
  const model = givenModel(calls(called("1", "files__read", "{}")), says("Done."))
  const world = await openRuns([], { model, tools })
  expect(await startRun(world, "x")).toMatchObject({ status: "finished" })
  expect(JSON.stringify(model.prompts.at(-1))).toContain(address)
})

it("whoever watches is told arguments as the model wrote them", async () => {
  const input = '{"account":12345678901234567890,"amount":1e400}'
  const world = await openRuns([], { model: givenModel(calls(called("1", "files__read", input)), says("Done.")) })
  const started = await world.runs.start({ messages: [{ role: "user", content: "pay" }], servers: ["files"] }, starter)
  if (!started.ok) throw new Error(started.refusal.code)
  const told: string[] = []
  world.runs.watch(started.run.id, (news) => {
    const part = news.type === "part" ? toldPart(news.part) : null
    if (part?.type === "tool-call") told.push(JSON.stringify(part.args))
  })
  await settled(world, started.run.id)
  expect(told).toEqual([input])
})
