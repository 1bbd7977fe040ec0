/** Runs that are carried from one Byleave to another. */
import { exportRun, importRun, stateKeyFrom } from "@byleave/runs/state"
import { expect } from "vitest"
import { newId } from "../engine/open-engine.ts"
import { countingTools, openRuns, settled, starter, startRun, type World } from "./open-runs.ts"

export const key = stateKeyFrom("the key of both")

export async function carry(world: World, id: string, format: "zstd" | "gzip" = "zstd"): Promise<string> {
  const exported = await exportRun({ gate: world.gate, key, newId }, id, { by: "ana", format })
  if (!exported.ok) throw new Error(exported.refusal.code)
  return exported.text
}

export const bring = (world: World, text: string, options: Partial<Parameters<typeof importRun>[2]> = {}) =>
  importRun({ runs: world.runs, key, now: Date.now }, text, { by: starter, ...options })

export async function broughtRun(world: World, text: string) {
  const brought = await bring(world, text)
  if (!brought.ok) throw new Error(brought.refusal.code)
  return settled(world, brought.run.id)
}

type Large = {
  /** Of 1.8 MB each. */
  readonly reads: number
  readonly times: number
}

/** A run that has read much is carried so many times; gives its size, and what the process held after each time. */
export async function carryLargeState({ reads: count, times }: Large) {
  const page = Array.from({ length: 24_000 }, (_, at) => ({
    line: at,
    text: `Entry ${at * 7919} of the log, as it was written.`,
  }))
  const calls = [{ tool: "files(read)", args: { path: "a" } }]
  const tools = () =>
    countingTools(["read", "write"], async () => ({
      kind: "succeeded",
      result: { content: [{ type: "text", text: JSON.stringify(page) }] },
    }))
  const reads = Array.from({ length: count }, () => ({ calls }))
  const script = [...reads, { calls: [{ tool: "files(write)", args: { path: "b" } }] }, { say: "Done." }]
  let world = await openRuns(script, { tools: tools(), limits: { steps: 100 } })
  let run = await startRun(world, "read everything")
  const sizes: number[] = []
  for (let time = 0; time < times; time++) {
    const text = await carry(world, run.id)
    if (time === 0) expect(text.length).toBeLessThan(run.bytes / 5)
    world = await openRuns(script, { tools: tools(), limits: { steps: 100 } })
    run = await broughtRun(world, text)
    expect(run).toMatchObject({ status: "paused", steps: count + 1 })
    sizes.push(process.memoryUsage().rss)
  }
  return { bytes: run.bytes, sizes }
}
