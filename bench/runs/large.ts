/**
 * A run whose journal has 14 MB, resumed again and again: how long it takes, and that memory stays as it was.
 * `node bench/runs/large.ts` prints the numbers.
 */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { benchModel, ending, saying } from "./bench-model.ts"
import { inFolder, openBench, starter } from "./open-bench.ts"

export type LargeNumbers = {
  readonly megabytes: number
  readonly resumeMs: number
  /** Between the second resume and the last. */
  readonly heapGrowthBytes: number
  /** The most that was resident, above what was before. */
  readonly peakMegabytes: number
}

const model = benchModel([[...saying("I have read all of it."), ending("stop")]])
const messageBytes = 1024 * 1024

export async function measureLarge(within = tmpdir(), megabytes = 14, resumes = 10): Promise<LargeNumbers> {
  return inFolder(within, async (folder) => {
    const { runs, close } = await openBench(join(folder, "byleave.db"), model)
    const text = "All work and no play makes a dull day. ".repeat(Math.ceil(messageBytes / 39)).slice(0, messageBytes)
    const messages = Array.from({ length: megabytes }, () => ({ role: "user" as const, content: text }))
    const started = await runs.start({ messages, servers: [], title: "Read all of it." }, starter)
    if (!started.ok) throw new Error(started.refusal.code)
    const { id } = started.run
    await runs.settled(id)
    const residentBefore = process.memoryUsage().rss
    let [heapBefore, best, peak] = [0, Number.POSITIVE_INFINITY, 0]
    for (let n = 0; n < resumes; n++) {
      const began = performance.now()
      const went = await runs.go(id, { messages: [{ role: "user", content: "Go on." }] }, "ana")
      if (!went.ok) throw new Error(went.refusal.code)
      const run = await runs.settled(id)
      if (run?.status !== "finished") throw new Error(`Not finished: ${JSON.stringify(run)}`)
      best = Math.min(best, performance.now() - began)
      peak = Math.max(peak, process.memoryUsage().rss)
      if (n === 1) heapBefore = heapUsed()
    }
    const heapGrowthBytes = heapUsed() - heapBefore
    await close()
    const peakMegabytes = Math.round((peak - residentBefore) / 1024 / 1024)
    return { megabytes, resumeMs: Math.round(best), heapGrowthBytes, peakMegabytes }
  })
}

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

function heapUsed(): number {
  for (let n = 0; n < 4; n++) collect()
  return process.memoryUsage().heapUsed
}

if (process.argv[1] === import.meta.filename) console.log(await measureLarge(process.argv[2]))
