import { readJournal } from "@byleave/runs"
import { dynamicTool, jsonSchema } from "ai"
import { describe, expect, it } from "vitest"
import { createAnswerCalls } from "../../packages/runs/src/loop/answer-calls.ts"
import { type AnswerPart, called, calls, ended, type GivenAnswer, givenModel, said, says } from "./given-model.ts"
import { answer, comesTo, openRuns, settled, startPaused, startRun, type World } from "./open-runs.ts"

const write = (id: string, path = "a") => called(id, "files__write", JSON.stringify({ path }))
const read = (id: string, path = "a") => called(id, "files__read", JSON.stringify({ path }))

async function toldBy(...answers: readonly GivenAnswer[]): Promise<{ world: World; told: string }> {
  const model = givenModel(...answers)
  const world = await openRuns([], { model })
  expect(await startRun(world, "x")).toMatchObject({ status: "finished" })
  expect(world.troubles).toEqual([])
  return { world, told: JSON.stringify(model.prompts.at(-1)) }
}

describe("a model that says what it should not", () => {
  it("uses an id twice in one answer and again in the next: each call is its own, and runs once", async () => {
    const first = calls(read("1", "a"), read("1", "b"), read("1", "c"))
    const { world, told } = await toldBy(first, calls(read("1", "d"), read("1_2", "e")), says("Done."))
    expect(world.tools.dispatched.map(({ args }) => args.path)).toEqual(["a", "b", "c", "d", "e"])
    const ids = [...told.matchAll(/"type":"tool-call","toolCallId":"([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(5)
  })

  it("uses the id of a call that waits: a second call, which waits for itself", async () => {
    const model = givenModel(calls(write("1", "a"), write("1", "b")), calls(write("1", "c")), says("Done."))
    const world = await openRuns([], { model })
    const { id, requirements } = await startPaused(world)
    expect(new Set(requirements.map(({ toolCall }) => toolCall)).size).toBe(2)
    for (const { approval } of requirements) await answer(world, approval, "approve")
    await expect.poll(async () => (await world.runs.get(id))?.legs).toBe(2)
    const again = await settled(world, id)
    expect(again).toMatchObject({ status: "paused" })
    expect(world.tools.dispatched.map(({ args }) => args.path).sort()).toEqual(["a", "b"])
  })

  it.each([
    { name: "very long", id: "x".repeat(1_000_000) },
    { name: "empty", id: "" },
    { name: "half a character", id: "a\ud800" },
    { name: "a zero byte", id: "a\u0000b" },
    { name: "a name that objects have", id: "__proto__" },
  ])("gives an id that is $name: the call runs, and the journal's names stay short", async ({ id }) => {
    const { world } = await toldBy(calls(read(id)), says("Done."))
    expect(world.tools.dispatched).toHaveLength(1)
    const [run] = await world.gate.runs({ limit: 1 })
    const lines = await world.gate.journal(run?.id ?? "", 0)
    for (const { name } of lines) expect(name).toMatch(/^[\x20-\x7e]{1,150}$/)
  })

  it.each([
    { name: "have a key twice", input: '{"path":"a","path":"/etc/passwd"}' },
    { name: "are no JSON", input: '{"path":' },
    { name: "are a list", input: '["a"]' },
    { name: "are a text", input: '"a"' },
    { name: "have half a character", input: '{"path":"\\ud800"}' },
    { name: "are larger than any call may be", input: `{"path":"${"p".repeat(5 * 1024 * 1024)}"}` },
    { name: "name a prototype", input: '{"__proto__":{"path":"b"},"path":"a"}' },
  ])("arguments that $name reach no server and no person; the model is told", async ({ input }) => {
    const made = [called("r", "files__read", input), called("w", "files__write", input)]
    const { world, told } = await toldBy(calls(...made), says("Done."))
    expect(world.tools.dispatched).toEqual([])
    expect(told.match(/"type":"tool-result"/g)).toHaveLength(2)
    expect(await world.gate.approval("")).toBeUndefined()
    expect((await world.gate.runs({ limit: 1 }))[0]).toMatchObject({ legs: 1 })
  })

  it("no arguments at all are an empty object", async () => {
    const { world } = await toldBy(calls(called("r", "files__read", "")), says("Done."))
    expect(world.tools.dispatched).toEqual([{ tool: "read", args: {} }])
  })

  it("names tools that are not offered, of other servers, or that every object has: none is called", async () => {
    const names = ["nosuch", "other__write", "files(write)", "files__", "constructor", "__proto__", "toString", ""]
    const made = names.map((name, n) => called(`c${n}`, name, "{}"))
    const model = givenModel(calls(...made), says("Done."))
    const world = await openRuns([], { model, faceTools: () => ({}) })
    expect(await startRun(world, "x")).toMatchObject({ status: "finished" })
    expect(world.tools.dispatched).toEqual([])
    const told = JSON.stringify(model.prompts.at(-1))
    expect(told.match(/"type":"tool-result"/g)).toHaveLength(names.length)
  })

  it("says 3 MB of text and arguments of 3 MB: both are kept, and the call runs as it was made", async () => {
    const path = "p".repeat(3 * 1024 * 1024)
    const text = Array.from({ length: 300 }, () => ({
      type: "text-delta" as const,
      id: "t",
      delta: "word ".repeat(2_100),
    }))
    const large: AnswerPart[] = [{ type: "text-start", id: "t" }, ...text, { type: "text-end", id: "t" }]
    const { world } = await toldBy([...large, read("r", path), ended("tool-calls")], says("Done."))
    expect(world.tools.dispatched[0]?.args.path).toBe(path)
  })

  it("is cut off by its limit in the middle of calls: none runs, and the run goes on after", async () => {
    for (const reason of ["length", "content-filter", "other"] as const) {
      const model = givenModel([...said("I wi"), write("w1"), read("r1"), ended(reason)], says("Done."))
      const world = await openRuns([], { model })
      const run = await startRun(world, "x")
      expect(run).toMatchObject({ status: "finished" })
      expect(world.tools.dispatched).toEqual([])
      await world.runs.go(run.id, { messages: [{ role: "user", content: "Go on." }] }, "ana")
      expect(await settled(world, run.id)).toMatchObject({ status: "finished" })
      expect(JSON.stringify(model.prompts.at(-1))).toContain("This call did not run")
    }
  })

  it("ends with an error, or says one after its calls: nothing of it is kept or run", async () => {
    const error: AnswerPart = { type: "error", error: { message: "overloaded", type: "server_error" } }
    for (const broken of [
      [read("r1"), ended("error")],
      [read("r1"), error, ended("tool-calls")],
      [error, read("r1"), ended("tool-calls")],
    ]) {
      const world = await openRuns([], { model: givenModel(broken, says("Done.")) })
      const run = await startRun(world, "x")
      expect(run).toMatchObject({ status: "failed", retryable: true })
      expect((await readJournal(world.gate, run.id)).answers).toEqual([])
      expect(world.tools.dispatched).toEqual([])
    }
  })

  it("goes on after its end: what follows counts for nothing", async () => {
    const late = [...says("Done."), read("r1"), ended("tool-calls")]
    const world = await openRuns([], { model: givenModel(late, says("Again.")) })
    expect(await startRun(world, "x")).toMatchObject({ status: "finished", steps: 1 })
    expect(world.tools.dispatched).toEqual([])
  })

  it("claims that a tool ran at its provider: nothing runs by that, and nobody is asked", async () => {
    const claimed: AnswerPart = {
      type: "tool-call",
      toolCallId: "c",
      toolName: "files__write",
      input: "{}",
      providerExecuted: true,
    }
    const world = await openRuns([], { model: givenModel(calls(claimed), says("Done.")) })
    const run = await startRun(world, "x")
    expect(["finished", "failed"]).toContain(run.status)
    expect(world.tools.dispatched).toEqual([])
  })

  it("calls and calls without an end: the run stops at its steps, and goes on when it is told to", async () => {
    let n = 0
    const model = givenModel(
      () =>
        new ReadableStream({
          start: (controller) => {
            n += 1
            for (const part of calls(read(`r${n}`, `f${n}`))) controller.enqueue(part)
            controller.close()
          },
        }),
    )
    const world = await openRuns([], { model, limits: { steps: 5 } })
    const run = await startRun(world, "x")
    expect(run).toMatchObject({
      status: "failed",
      retryable: true,
      steps: 5,
      detail: expect.stringContaining("5 steps"),
    })
    expect(world.tools.dispatched).toHaveLength(5)
    await world.runs.go(run.id, {}, "ana")
    expect(await settled(world, run.id)).toMatchObject({ status: "failed", steps: 10 })
    expect(new Set(world.tools.dispatched.map(({ args }) => args.path)).size).toBe(10)
  })

  it("writes a second call while the first is held back: whoever watches sees it being written", async () => {
    const typed: AnswerPart[] = [
      read("r1"),
      { type: "tool-input-start", id: "r2", toolName: "files__read" },
      { type: "tool-input-delta", id: "r2", delta: "{}" },
      { type: "tool-input-end", id: "r2" },
      called("r2", "files__read", "{}"),
      ended("tool-calls"),
    ]
    const world = await openRuns([], { model: givenModel(typed, says("Done.")) })
    const run = await startRun(world, "x")
    await comesTo(world, run.id, "finished")
    expect(world.tools.dispatched).toHaveLength(2)
  })
})

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`

describe("a model that says too much at once", () => {
  it("makes more calls in one answer than are taken: the others neither run nor wait, and it is told so once", async () => {
    const made = Array.from({ length: 300 }, (_, n) => read(`r${n}`, `f${n}`))
    const { world, told } = await toldBy(calls(...made), says("Done."))
    expect(world.tools.dispatched).toHaveLength(128)
    expect(told.match(/"type":"tool-call"/g)).toHaveLength(129)
    expect(told.match(/"reason":"There are too many calls in one answer: 128 are taken/g)).toHaveLength(1)
    const asked = Array.from({ length: 300 }, (_, n) => write(`w${n}`, `f${n}`))
    const waiting = await openRuns([], { model: givenModel(calls(...asked), says("Done.")), modelLimits: { calls: 3 } })
    expect((await startPaused(waiting)).requirements).toHaveLength(3)
  })

  it("writes them piece by piece: nothing of those that are left out is kept", async () => {
    const typed = Array.from({ length: 9 }, (_, n): AnswerPart[] => [
      { type: "tool-input-start", id: `${n % 4}`, toolName: "files__read" },
      { type: "tool-input-delta", id: `${n % 4}`, delta: "{}" },
      { type: "tool-input-end", id: `${n % 4}` },
      called(`${n % 4}`, "files__read", "{}"),
    ])
    const world = await openRuns([], {
      model: givenModel(calls(...typed.flat()), says("Done.")),
      modelLimits: { calls: 5 },
    })
    const run = await startRun(world, "x")
    expect(run).toMatchObject({ status: "finished" })
    expect(world.tools.dispatched).toHaveLength(5)
    const lines = await world.gate.journal(run.id, 0)
    expect(lines.find(({ name }) => name === "answer 1.0")?.text.match(/"tool-input-start"/g)).toHaveLength(6)
  })

  it("makes a call too many of a function that its caller carries out: it is not handed to the caller", async () => {
    const look = dynamicTool({ inputSchema: jsonSchema({ type: "object" }), execute: undefined as never })
    const model = givenModel(calls(read("r1"), called("l1", "look", "{}")), says("Done."))
    const world = await openRuns([], { model, modelLimits: { calls: 1 }, faceTools: () => ({ look }) })
    expect(await startRun(world, "x")).toMatchObject({ status: "finished", steps: 2 })
    expect(JSON.stringify(model.prompts.at(-1))).toContain("too many calls in one answer")
  })

  it("refused calls stay refused when the leg is played again", async () => {
    const fails = () => Promise.reject(new Error("overloaded"))
    const first = calls(read("r1"), called("deep", "files__read", `{"path":${nested(5_000)}}`), read("r2"), read("r3"))
    const model = givenModel(first, fails, says("Done."))
    const world = await openRuns([], { model, modelLimits: { calls: 3 } })
    const { id } = await startRun(world, "x")
    await world.runs.go(id, {}, "ana")
    expect(await settled(world, id)).toMatchObject({ status: "finished" })
    expect(world.tools.dispatched).toHaveLength(2)
    const told = JSON.stringify(model.prompts.at(-1))
    expect(told).toContain("too many calls in one answer")
    expect(told).toContain("The arguments of this call cannot be taken")
  })

  it.each([
    { name: "nested very deep", input: `{"path":${nested(200_000)}}` },
    { name: "unreadable, and nested very deep", input: `{"path":1,"path":${nested(200_000)}}` },
    { name: "of 5 MB", input: `{"path":"${"p".repeat(5 * 1024 * 1024)}"}` },
    { name: "of very many values", input: `{"path":[${"0,".repeat(100_000)}0]}` },
  ])(
    "gives arguments that are $name: the call is refused, the run goes on, and they are not kept",
    async ({ input }) => {
      const typed: AnswerPart[] = [
        { type: "tool-input-start", id: "r1", toolName: "files__read" },
        { type: "tool-input-delta", id: "r1", delta: input },
        { type: "tool-input-end", id: "r1" },
      ]
      const first = [...typed, called("r1", "files__read", input), read("r2")]
      const { world, told } = await toldBy(calls(...first), says("Done."))
      expect(world.tools.dispatched).toHaveLength(1)
      expect(told).toContain("The arguments of this call cannot be taken")
      expect((await world.gate.runs({ limit: 1 }))[0]?.bytes).toBeLessThan(20_000)
    },
  )

  it("uses one id very often in one answer, and again: naming them takes no time", async () => {
    const made = Array.from({ length: 4_000 }, () => read("c"))
    const { world } = await toldBy(calls(...made), calls(...made), says("Done."))
    expect(world.tools.dispatched).toHaveLength(256)
    const ids = new Set(Array.from({ length: 100_000 }, (_, n) => (n === 0 ? "c" : `c_${n + 1}`)))
    const numbers = new Map<string, number>()
    const started = performance.now()
    for (let answers = 0; answers < 300; answers++) {
      const take = createAnswerCalls({
        ...{ taken: ids, numbers, limits: { calls: 128, callsRead: 4_096 } },
        readArgs: () => ({ ok: true, value: {} }),
      })
      for (let n = 0; n < 128; n++) take(read("c"))
    }
    expect(ids.size).toBe(100_000 + 300 * 128)
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it("makes so many calls that it is not read on: the run fails in words, and nothing runs", async () => {
    const made = Array.from({ length: 5_000 }, (_, n) => read(`r${n}`))
    const world = await openRuns([], { model: givenModel(calls(...made)) })
    const run = await startRun(world, "x")
    expect(run).toMatchObject({ status: "failed", detail: expect.stringContaining("more than 4096 calls") })
    expect(world.tools.dispatched).toEqual([])
  })

  it.each([
    { name: "text", parts: says("word ".repeat(10_000)).slice(0, -1) },
    { name: "empty parts", parts: Array.from({ length: 1_000 }, (_, n) => said("", `t${n}`)).flat() },
    { name: "a long name of a tool", parts: [called("c", "n".repeat(30_000), "{}")] },
    {
      name: "what a provider adds",
      parts: Array.from({ length: 300 }, (_, n): AnswerPart[] => [
        ...(n === 0 ? [{ type: "reasoning-start" as const, id: "t" }] : []),
        { type: "reasoning-delta", id: "t", delta: "", providerMetadata: { odd: { signature: "s".repeat(100) } } },
      ]).flat(),
    },
    {
      name: "sources",
      parts: [{ type: "source", sourceType: "url", id: "s", url: "https://a.example", title: "t".repeat(30_000) }],
    },
  ] satisfies ReadonlyArray<{ name: string; parts: readonly AnswerPart[] }>)(
    "answers with more than an answer may be, of $name: the run fails in words, and nothing is kept",
    async ({ parts }) => {
      const model = givenModel([...parts, ended("stop")])
      const world = await openRuns([], { model, modelLimits: { answerBytes: 20_000 } })
      const run = await startRun(world, "x")
      expect(run).toMatchObject({
        status: "failed",
        detail: "The model's answer is larger than 19 kB, the most that is taken.",
      })
      expect((await readJournal(world.gate, run.id)).answers).toEqual([])
    },
  )
})
