import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { JsonValue } from "@byleave/core"
import { expect, it } from "vitest"
import { called, calls, givenModel, says, streamOf } from "../given-model.ts"
import { type CountingTools, countingTools, openRuns, starter, startRun } from "../open-runs.ts"

const read = (id: string) => called(id, "files__read", '{"path":"a"}')

it("values count beside their text: of a message, of a result that says little, and of arguments", async () => {
  const lists = JSON.parse(`[${"[],".repeat(5_000)}[]]`)
  const tools = countingTools(undefined, async () => ({
    kind: "succeeded",
    result: { content: [{ type: "text", text: "ok" }], structuredContent: { lists } },
  }))
  const limits = { bytes: 200_000 }
  const messages = [{ role: "user" as const, content: "x" }]
  const call = { type: "tool-call" as const, toolCallId: "e1", toolName: "files__read", input: { lists } }
  const said = { role: "assistant" as const, content: [call] }
  const world = await openRuns([], { model: givenModel(calls(read("r1")), says("Done.")), tools, limits })
  expect(await world.runs.start({ servers: ["files"], messages: [...messages, said] }, starter)).toMatchObject({
    refusal: { code: "run-too-large" },
  })
  expect(await startRun(world, "x")).toMatchObject({ status: "finished" })
  expect(tools.dispatched).toHaveLength(1)
  const model = givenModel(calls(called("r1", "files__read", JSON.stringify({ path: lists }))))
  const failed = await startRun(await openRuns([], { model, limits }), "x")
  expect(failed).toMatchObject({ status: "failed", detail: expect.stringContaining("195 kB") })
  const told = givenModel(calls(read("r1")), says("Done."))
  await startRun(await openRuns([], { model: told, tools, limits }), "x")
  expect(JSON.stringify(told.prompts.at(-1))).toContain("more than this run can keep")
})

it("of a call that has ended, a leg keeps neither arguments nor result as values, only what its model is told", async () => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  const values: WeakRef<object>[] = []
  const call: CountingTools["call"] = async (_, args) => {
    const lists: JsonValue = Array.from({ length: 100 }, () => [])
    values.push(new WeakRef(lists), new WeakRef(args))
    return { kind: "succeeded", result: { content: [{ type: "text", text: "ok" }], structuredContent: { lists } } }
  }
  const kept: number[] = []
  const look = async () => {
    // What was just made lives until the end of its turn.
    await new Promise((resolve) => setImmediate(resolve))
    collect()
    kept.push(values.filter((value) => value.deref() !== undefined).length)
    return streamOf(says("Done."))
  }
  const model = givenModel(calls(read("r1"), read("r2")), calls(read("r3")), look)
  const world = await openRuns([], { model, tools: { ...countingTools(), call } })
  expect(await startRun(world, "x")).toMatchObject({ status: "finished" })
  expect(values).toHaveLength(6)
  expect(kept).toEqual([0])
})
