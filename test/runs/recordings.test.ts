import { readdirSync } from "node:fs"
import { createExchangeRecorder, openApprovals, type Recording, recordRun, replayExchange } from "@byleave/runs"
import { describe, expect, it } from "vitest"
import { policyOf, rule } from "../engine/open-engine.ts"
import { answer, openRuns, settled, startRun, usualPolicy } from "./open-runs.ts"
import { playRecording, recordingOf, recordingsFolder } from "./play-recording.ts"
import { playStory, recordedText, stories } from "./recorded-stories.ts"

const files = readdirSync(recordingsFolder).filter((name) => name.endsWith(".jsonl"))
const runFiles = Object.keys(stories)
const exchange = "single-turn-mcp-approval.jsonl"

describe("the recordings of recordings/", () => {
  it("are those of the stories, and of seed's exchange", () => {
    expect(files.sort()).toEqual([...runFiles, exchange].sort())
  })

  it.each(files)("R190: %s ends, and leaves no approval open", (file) => {
    const { end, legs, of } = recordingOf(file)
    expect(end).not.toBeNull()
    if (of === "responses") expect(openApprovals(legs)).toEqual([])
    else expect(legs.at(-1)?.events.at(-1)?.event.type).toBe("agent-run.finished")
  })

  it.each(runFiles)("R194: %s is played without a model or a server, as it was", async (file) => {
    const recording = recordingOf(file)
    const { legs } = recording
    expect(await playRecording(recording)).toMatchObject({ differences: [], legs: legs.length })
    expect(await playRecording(recording, usualPolicy)).toMatchObject({ differences: [] })
  })

  it.each(runFiles)("R192: %s is what is recorded today", async (file) => {
    const story = stories[file]
    if (story === undefined) throw new Error(file)
    expect(recordingOf(await recordedText(await playStory(story)))).toEqual(recordingOf(file))
  })

  it("R193: the exchange lists tools, reasons, asks for approval and completes; then the answer, the call and the rest", () => {
    const recording = recordingOf(exchange)
    const items = recording.legs.map(({ events }) =>
      events.flatMap(({ event }) =>
        event.type === "response.output_item.done" ? (event.item as { type: string }).type : [],
      ),
    )
    expect(items).toEqual([
      ["mcp_list_tools", "reasoning", "message", "mcp_approval_request"],
      ["mcp_call", "message"],
    ])
    expect(recording.legs.map(({ events }) => events.at(-1)?.event.type)).toEqual([
      "response.completed",
      "response.completed",
    ])
    expect(openApprovals(recording.legs.slice(0, 1))).toHaveLength(1)
  })
})

describe("a run that differs from its recording", () => {
  const recording = recordingOf("run-two-calls-one-denied.jsonl")
  const written = JSON.stringify(recording)
  const changed = (from: string, to: string): Recording => {
    if (!written.includes(from)) throw new Error(from)
    return JSON.parse(written.replace(from, to))
  }

  it.each([
    {
      name: "where policy allows what was asked about",
      of: recording,
      policy: policyOf([rule("allow", "files(read)"), rule("allow", "files(write)"), rule("deny", "files(delete)")]),
      says: 'files(write) runs with {"path":"a.md"}, and did not.',
    },
    {
      name: "where policy asks about what ran",
      of: recording,
      policy: policyOf([rule("deny", "files(delete)")]),
      says: 'In leg 1: files(read) {"path":"notes.md"} needs approval, and did not.',
    },
    {
      name: "where somebody else was told something else",
      of: changed('"approve":false', '"approve":true'),
      policy: usualPolicy,
      says: 'files(write) runs with {"path":"a.md"}, and did not.',
    },
    {
      name: "where what ran is denied",
      of: changed('"tool_call":"scripted-1-3","approve":true', '"tool_call":"scripted-1-3","approve":false'),
      policy: usualPolicy,
      says: "Before answer 2: the result of scripted-1-3 is",
    },
    {
      name: "where nobody was asked about what is answered",
      of: changed('"answers":[{"tool_call":"scripted-1-3"', '"answers":[{"tool_call":"scripted-9-9"'),
      policy: usualPolicy,
      says: "Nobody is asked about scripted-9-9, which was answered.",
    },
    {
      name: "where the model has more to say",
      of: {
        ...recording,
        legs: recording.legs.map((leg, at) => ({ ...leg, events: at === 0 ? leg.events : leg.events.slice(0, 1) })),
      },
      policy: usualPolicy,
      says: "The model is asked 2 times, and was asked once.",
    },
  ])("$name says so", async ({ of, policy, says }) => {
    const { differences } = await playRecording(of, policy)
    expect(differences.length).toBeGreaterThan(0)
    expect(differences[0]).toContain(says)
  })

  it("runs nothing that was recorded twice, and nothing for real", async () => {
    const { world, id } = await playStory(stories["run-pauses-twice.jsonl"] ?? { task: "", steps: [], answers: [] })
    const before = world.tools.dispatched.length
    await playRecording(recordingOf(await recordedText({ world, id })))
    expect(world.tools.dispatched).toHaveLength(before)
  })
})

describe("a recording of a run", () => {
  it("R190, R191: ends no sooner than the run, and goes on when somebody has answered", async () => {
    const world = await openRuns([{ calls: [{ tool: "files(write)", args: { path: "a" } }] }, { say: "Done." }])
    const paused = await startRun(world, "write it")
    if (paused.status !== "paused") throw new Error(paused.status)
    const first = await recordRun({ gate: world.gate }, paused.id)
    expect(first).toMatchObject({ ok: true, isComplete: false })
    expect(recordingOf(first.ok ? first.text : "").end).toBeNull()
    await answer(world, paused.requirements[0]?.approval ?? null, "approve")
    await world.runs.go(paused.id, {}, "ana")
    await settled(world, paused.id)
    const last = await recordRun({ gate: world.gate }, paused.id)
    if (!last.ok || !first.ok) throw new Error("not recorded")
    expect(last.text.startsWith(first.text)).toBe(true)
    expect(recordingOf(last.text).end).toEqual({ status: "finished" })
    expect(await recordRun({ gate: world.gate }, "nobody")).toMatchObject({ refusal: { code: "run-not-found" } })
  })

  it("has neither keys nor what the redactor takes out", async () => {
    const world = await openRuns([{ say: "The password is hunter2." }])
    const { id } = await startRun(world, "tell me hunter2")
    const recorded = await recordRun({ gate: world.gate, redact: (text) => text.replaceAll("hunter2", "***") }, id)
    expect(recorded.ok && recorded.text).not.toContain("hunter2")
    expect(recorded.ok && recorded.text).toContain("***")
  })

  it("is written as its journal is read: each page's events before the next page", async () => {
    const world = await openRuns([{ say: "hunter2" }])
    const { id } = await startRun(world, "x")
    const done: string[] = []
    const journal: typeof world.gate.journal = async (run, after) => {
      const [line] = await world.gate.journal(run, after)
      done.push(line?.name ?? "end")
      return line === undefined ? [] : [line]
    }
    const redact = (text: string): string => {
      if (text === "hunter2") done.push("written")
      return text
    }
    await recordRun({ gate: { ...world.gate, journal }, redact }, id)
    expect(done.slice(0, 4)).toEqual(["input 1", "answer 1.0", "written", "leg 1"])
  })

  it("of a run that failed has what it did", async () => {
    const calls = [{ tool: "files(read)", args: { path: "a" } }]
    const world = await openRuns([{ calls }, { fail: { status: 500, message: "overloaded" } }])
    const { id } = await startRun(world, "read it")
    const recording = recordingOf(await recordedText({ world, id }))
    expect(recording.legs[0]?.events.map(({ event }) => event.type)).toEqual([
      "model.answered",
      "call.allowed",
      "call.ended",
      "agent-run.failed",
    ])
    expect(recording.end).toEqual({ status: "failed" })
  })
})

describe("an exchange with the Responses API", () => {
  it("is answered from its recording, and refused where it differs", () => {
    const recording = recordingOf(exchange)
    const [first, second] = recording.legs.map(({ request }) => request)
    const play = replayExchange(recording)
    const tools = [{ type: "mcp", server_label: "mslearn", require_approval: "always", authorization: "secret" }]
    expect(play({ ...first, tools })).toMatchObject({
      ok: true,
      events: recording.legs[0]?.events.map(({ event }) => event),
    })
    const input = [{ type: "mcp_approval_response", approval_request_id: "mcpr_7f3k2q_scripted-1-1", approve: false }]
    expect(play({ ...second, input })).toEqual({
      ok: false,
      status: 409,
      difference: "Request 2 differs: input[0].approve is false, and was true.",
    })
    expect(play(second ?? {})).toMatchObject({ ok: true })
    expect(play(second ?? {})).toMatchObject({ ok: false, status: 409 })
  })

  it("R190: ends once every approval is answered, and has no headers, keys or tokens", () => {
    let now = 0
    const recorder = createExchangeRecorder({ now: () => now++ })
    const tools = [{ type: "mcp", server_label: "files", headers: { "X-Key": "abc" }, authorization: "abc" }]
    const first = recorder.request({ input: "write it", tools, api_key: "abc" })
    first({ type: "response.output_item.done", item: { type: "mcp_approval_request", id: "mcpr_1" } })
    expect(recorder.isComplete()).toBe(false)
    first({ type: "response.completed", response: { status: "completed" } })
    expect(recorder.isComplete()).toBe(false)
    expect(recordingOf(recorder.text()).end).toBeNull()
    const input = [{ type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: false }]
    const second = recorder.request({ input, tools })
    expect(recorder.isComplete()).toBe(false)
    second({ type: "response.completed", response: { status: "completed" } })
    expect(recorder.isComplete()).toBe(true)
    expect(recordingOf(recorder.text()).end).toEqual({ status: "completed" })
    expect(recorder.text()).not.toContain("abc")
  })
})
