/**
 * 10,000 runs that wait for a person: what they cost the process that started them, and a process that starts with them.
 * `node bench/runs/paused.ts` prints the numbers.
 */
import { spawnSync } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { benchModel, calling, ending } from "./bench-model.ts"
import { inFolder, openBench, order, starter } from "./open-bench.ts"

export type PausedNumbers = {
  readonly runs: number
  readonly timers: number
  readonly bytesEach: number
  readonly startMs: number
  readonly emptyStartMs: number
  /** The median of the ratios within a round. */
  readonly ratio: number
}

const model = benchModel([[...calling("files__write", ["/ws/a.md"]), ending("tool-calls")]])

export async function measurePaused(within = tmpdir(), count = 10_000): Promise<PausedNumbers> {
  return inFolder(within, async (folder) => {
    const full = join(folder, "full.db")
    const empty = join(folder, "empty.db")
    const held = await pauseMany(full, count)
    await pauseMany(empty, 0)
    const found = Array.from({ length: 9 }, () => ({ full: startCpu(full, count), empty: startCpu(empty, 0) }))
    return {
      runs: count,
      ...held,
      startMs: Math.round(median(found.map((round) => round.full))),
      emptyStartMs: Math.round(median(found.map((round) => round.empty))),
      ratio: Math.round(median(found.map((round) => round.full / round.empty)) * 100) / 100,
    }
  })
}

async function pauseMany(path: string, count: number): Promise<Pick<PausedNumbers, "timers" | "bytesEach">> {
  const { runs, gate, close } = await openBench(path, model)
  const one = async (): Promise<void> => {
    const started = await runs.start(order, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    const run = await runs.settled(started.run.id)
    if (run?.status !== "paused") throw new Error(`Not paused: ${JSON.stringify(run)}`)
  }
  // The first ones leave caches and compiled code behind, once, however many follow.
  const first = Math.min(count, 500)
  await inFlight(first, one)
  const [timersBefore, bytesBefore] = [timers(), bytesUsed()]
  await inFlight(count - first, one)
  if ((await gate.countRuns({ statuses: ["paused"] })) !== count) throw new Error("Not all of them are paused.")
  const bytesEach = Math.round((bytesUsed() - bytesBefore) / Math.max(1, count - first))
  const left = Math.max(0, timers() - timersBefore)
  await close()
  return { timers: left, bytesEach }
}

async function inFlight(count: number, one: () => Promise<void>): Promise<void> {
  let left = count
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await one()
    }
  }
  await Promise.all(Array.from({ length: 16 }, lane))
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
}

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

function bytesUsed(): number {
  for (let n = 0; n < 4; n++) collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Milliseconds of processor time of a process that opens the store, takes up what it finds and ends. */
function startCpu(path: string, count: number): number {
  const program = `import { startOnce } from ${JSON.stringify(import.meta.url)}
    await startOnce(${JSON.stringify(path)}, ${count})`
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  })
  if (status !== 0) throw new Error(stderr)
  return Number(stdout)
}

export async function startOnce(path: string, count: number): Promise<void> {
  const { runs, gate, close } = await openBench(path, model)
  if ((await runs.takeUp()) !== 0) throw new Error("It took up what nobody has answered.")
  if ((await gate.countRuns({ statuses: ["paused"] })) !== count) throw new Error("Not all of them are there.")
  await close()
  const { user, system } = process.cpuUsage()
  console.log((user + system) / 1_000)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

if (process.argv[1] === import.meta.filename) {
  console.log(await measurePaused(process.argv[2], Number(process.argv[3] ?? 10_000)))
}
