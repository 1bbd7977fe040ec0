import { uiMessageStream, uiMessagesOf } from "@byleave/runs"
import { readUIMessageStream, type UIMessage } from "ai"
import { afterEach, describe, expect, it } from "vitest"
import { type Front, openFront } from "./open-front.ts"
import { answer, openRuns, starter, startRun } from "./open-runs.ts"

const steps = [
  { say: "One.", calls: [{ tool: "files(write)", args: { path: "a" } }] },
  { say: "Two.", calls: [{ tool: "files(move)", args: { path: "b" } }] },
  { say: "Three." },
]

let front: Front
afterEach(() => front.close())

async function lastOf(stream: ReturnType<typeof uiMessageStream>): Promise<UIMessage> {
  let last: UIMessage | undefined
  for await (const message of readUIMessageStream({ stream })) last = message
  if (last === undefined) throw new Error("Nothing was said.")
  return last
}
const shape = ({ parts }: UIMessage) =>
  parts.flatMap((part) =>
    part.type === "text" ? part.text : part.type === "dynamic-tool" ? `${part.toolName} ${part.state}` : [],
  )
const whole = ["One.", "files__write output-available", "Two.", "files__move output-denied", "Three."]

async function pending(id: string): Promise<string | null> {
  const run = await front.runs.get(id)
  return run?.status === "paused" ? (run.requirements[0]?.approval ?? null) : null
}

describe("a run's stream", () => {
  it("that waits goes through all pauses, and answers given elsewhere are in it", async () => {
    front = await openFront(steps)
    const started = await front.runs.start({ messages: [{ role: "user", content: "go" }], servers: ["files"] }, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    const { id } = started.run
    const said = lastOf(uiMessageStream(front.ports, id, { wait: true }))
    await expect.poll(() => pending(id)).not.toBeNull()
    const first = await pending(id)
    await answer(front, first, "approve")
    await expect.poll(async () => [first, null].includes(await pending(id))).toBe(false)
    await answer(front, await pending(id), "deny", { reason: "Enough." })
    const message = await said
    expect(shape(message)).toEqual(whole)
    const moved = message.parts.find((part) => part.type === "dynamic-tool" && part.toolName === "files__move")
    expect(moved).toMatchObject({ approval: { approved: false, reason: "Enough." } })
  })

  it("that waits tells each answer once, when it is given", async () => {
    const calls = ["write", "move"].map((tool) => ({ tool: `files(${tool})`, args: {} }))
    front = await openFront([{ calls }, { say: "Done." }])
    const paused = await startRun(front, "go")
    if (paused.status !== "paused") throw new Error(paused.status)
    const answered: unknown[] = []
    const begun = Promise.withResolvers<void>()
    const read = (async () => {
      for await (const chunk of uiMessageStream(front.ports, paused.id, { wait: true })) {
        if (chunk.type === "data-waiting") begun.resolve()
        if (chunk.type === "tool-approval-response") answered.push([chunk.approvalId, chunk.approved])
      }
    })()
    const [write, move] = paused.requirements.map(({ approval }) => approval)
    await begun.promise
    await answer(front, write ?? null, "approve")
    await expect.poll(() => answered).toEqual([[write, true]])
    await answer(front, move ?? null, "deny")
    await read
    expect(answered).toEqual([
      [write, true],
      [move, false],
    ])
  })

  it("is whole where another process carries the legs out", async () => {
    front = await openFront(steps)
    const other = await openRuns(steps, { store: front.store, clock: front.clock })
    await front.runs.close()
    const { id } = await startRun(other, "go")
    const said = lastOf(uiMessageStream(front.ports, id, { wait: true }))
    const answers = ["approve", "deny"] as const
    let before: string | null = null
    for (const kind of answers) {
      await expect.poll(async () => [before, null].includes(await pending(id))).toBe(false)
      before = await pending(id)
      await answer(front, before, kind)
    }
    expect(shape(await said)).toEqual(whole)
    const run = await front.runs.get(id)
    if (run === undefined) throw new Error("The run is gone.")
    expect((await uiMessagesOf(front.ports, run)).flatMap(shape)).toEqual(["go", ...whole])
    await other.runs.close()
  })

  it("told twice is the same, and ends when its reader leaves", async () => {
    front = await openFront(steps)
    const { id } = await startRun(front, "go")
    const [one, two] = await Promise.all([
      lastOf(uiMessageStream(front.ports, id)),
      lastOf(uiMessageStream(front.ports, id)),
    ])
    expect(one).toEqual(two)
    expect(shape(one)).toEqual(["One.", "files__write approval-requested"])
    const reader = uiMessageStream(front.ports, id, { wait: true }).getReader()
    for (let read = await reader.read(); read.value?.type !== "data-waiting"; ) read = await reader.read()
    await reader.cancel()
  })

  it("of a reader that takes nothing ends early, and is whole for one that comes back (I4)", async () => {
    const said = `${"x".repeat(100_000)} `.repeat(60)
    front = await openFront([{ calls: [{ tool: "files(write)", args: {} }] }, { say: said }])
    const { id } = await startRun(front, "go")
    const reader = uiMessageStream(front.ports, id, { wait: true }).getReader()
    for (let read = await reader.read(); read.value?.type !== "data-waiting"; ) read = await reader.read()
    await answer(front, await pending(id), "approve")
    await expect.poll(async () => (await front.runs.get(id))?.status).toBe("finished")
    const types: string[] = []
    for (let read = await reader.read(); !read.done; read = await reader.read()) types.push(read.value.type)
    expect(types).not.toContain("finish")
    expect(types.filter((type) => type === "text-delta").length).toBeLessThan(3)
    expect(shape(await lastOf(uiMessageStream(front.ports, id))).join("").length).toBeGreaterThan(said.length)
  })

  it("tells that a run was cancelled", async () => {
    front = await openFront(steps)
    const { id } = await startRun(front, "go")
    const chunks: unknown[] = []
    const stream = uiMessageStream(front.ports, id, { wait: true })
    const read = (async () => {
      for await (const chunk of stream) chunks.push(chunk)
    })()
    await front.runs.cancel(id, "ana")
    await read
    expect(chunks.at(-1)).toMatchObject({ type: "abort" })
  })
})
