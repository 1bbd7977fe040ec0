/**
 * A leg of ten allowed calls through the gate, durable on SQLite, against the same loop on bare AI SDK with tools that nobody gates.
 * `node bench/runs/leg.ts` prints the numbers.
 */
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ScriptedStep } from "@byleave/core"
import { type LanguageModelV4, openModel } from "@byleave/runs"
import { dynamicTool, isStepCount, jsonSchema, streamText } from "ai"
import { benchModel, calling, ending, saying } from "./bench-model.ts"
import { inFolder, openBench, order, starter, toolResult } from "./open-bench.ts"

export type LegNumbers = {
  readonly calls: number
  readonly gatedMs: number
  readonly bareMs: number
  /** The median of the ratios within a round. */
  readonly ratio: number
}

const steps = 5
const callsPerStep = 2
const words = "I read these two files and then I will see what else there is to read about this.".repeat(3)

const answers = [
  ...Array.from({ length: steps }, (_, step) => [
    ...saying(words),
    ...calling("files__read", [`/ws/${step}-a.md`, `/ws/${step}-b.md`]),
    ending("tool-calls"),
  ]),
  [...saying(words), ending("stop")],
]
/** The same for the scripted model. */
const script: readonly ScriptedStep[] = [
  ...Array.from({ length: steps }, (_, step) => ({
    say: words,
    calls: ["a", "b"].map((file) => ({ tool: "files(read)", args: { path: `/ws/${step}-${file}.md` } })),
  })),
  { say: words },
]

async function bareLeg(model: LanguageModelV4): Promise<void> {
  const read = dynamicTool({
    inputSchema: jsonSchema({ type: "object", properties: { path: { type: "string" } } }),
    execute: async () => ({ type: "text" as const, value: toolResult.content[0]?.text ?? "" }),
    toModelOutput: ({ output }) => output as { type: "text"; value: string },
  })
  const result = streamText({
    model,
    messages: [...order.messages],
    tools: { files__read: read },
    stopWhen: isStepCount(50),
  })
  for await (const part of result.stream) if (part.type === "error") throw part.error
  if ((await result.steps).length !== steps + 1) throw new Error("Not all steps were made.")
}

/** `paced`: every piece of an answer comes by itself, as over a slow network. */
export async function measureLeg(within = tmpdir(), paced = "", rounds = 15, legs = 40): Promise<LegNumbers> {
  const model =
    paced === "paced"
      ? benchModel(answers, true)
      : await openModel({ name: "bench", provider: "scripted", steps: script })
  return inFolder(within, async (folder) => {
    const { runs, close } = await openBench(join(folder, "byleave.db"), model)
    const gatedLeg = async (): Promise<void> => {
      const started = await runs.start(order, starter)
      if (!started.ok) throw new Error(started.refusal.code)
      const run = await runs.settled(started.run.id)
      if (run?.status !== "finished" || run.steps !== steps + 1) throw new Error(`Not finished: ${JSON.stringify(run)}`)
    }
    for (let n = 0; n < 150; n++) {
      await gatedLeg()
      await bareLeg(model)
    }
    const found: Array<{ readonly gated: number; readonly bare: number }> = []
    for (let round = 0; round < rounds; round++) {
      const bare = await cpuOf(legs, () => bareLeg(model))
      found.push({ bare, gated: await cpuOf(legs, gatedLeg) })
    }
    await close()
    return {
      calls: steps * callsPerStep,
      gatedMs: round(median(found.map(({ gated }) => gated))),
      bareMs: round(median(found.map(({ bare }) => bare))),
      ratio: round(median(found.map(({ gated, bare }) => gated / bare))),
    }
  })
}

/** Milliseconds of processor time each, with all threads of the process. */
async function cpuOf(times: number, work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  for (let n = 0; n < times; n++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / times
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

if (process.argv[1] === import.meta.filename) console.log(await measureLeg(process.argv[2], process.argv[3]))
