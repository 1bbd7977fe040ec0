// `node bench/gateway/profile.ts [http|stdio] [lean|sdk|lean-modern] [seconds]`: where Byleave spends its time, by function.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startByleave } from "./byleave.ts"
import type { ClientKind } from "./clients/bench-client.ts"
import { startDriver } from "./driver.ts"
import { cpuMilliseconds } from "./proc.ts"
import { everythingOnStdio, startEverything } from "./upstream.ts"

type CpuProfile = {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }>
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const [behind = "http", kind = "lean", seconds = "10"] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "byleave-profile-"))
try {
  const driven = await drive()
  print(readProfile(), driven)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The profiled process writes its profile when it ends. What it did until it was warm is left out. */
async function drive(): Promise<{ readonly calls: number; readonly skipMicroseconds: number }> {
  const everything = await startEverything()
  const started = performance.now()
  const { child, endpoint } = await startByleave({
    folder,
    behind: behind === "stdio" ? everythingOnStdio : { url: everything.url },
    nodeArgs: ["--cpu-prof", `--cpu-prof-dir=${join(folder, "profile")}`, "--cpu-prof-interval=200"],
  })
  const driver = startDriver()
  try {
    const clients = 16
    await driver.connect({ target: "byleave", endpoint, clients, kind: kind as ClientKind, elicitation: false })
    await driver.block({ target: "byleave", clients, milliseconds: 3_000 })
    const skipMicroseconds = (performance.now() - started) * 1000
    const before = cpuMilliseconds([child.pid])
    const numbers = await driver.block({ target: "byleave", clients, milliseconds: Number(seconds) * 1000 })
    const perCall = (cpuMilliseconds([child.pid]) - before) / numbers.calls
    console.log(
      `${numbers.calls} calls, ${perCall.toFixed(3)} ms CPU each with the profiler's own, p50 ${numbers.p50} ms`,
    )
    return { calls: numbers.calls, skipMicroseconds }
  } finally {
    await driver.stop()
    await child.stop()
    await everything.child.stop()
  }
}

function readProfile(): CpuProfile {
  const files = readdirSync(join(folder, "profile"))
  const texts = files.map((file) => readFileSync(join(folder, "profile", file), "utf8"))
  const longest = texts.sort((a, b) => b.length - a.length)[0]
  if (longest === undefined) throw new Error("Byleave wrote no profile: it did not end by itself.")
  return JSON.parse(longest) as CpuProfile
}

type Driven = Awaited<ReturnType<typeof drive>>

function print({ nodes, samples, timeDeltas }: CpuProfile, { calls, skipMicroseconds }: Driven): void {
  const frameOf = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const byFunction = new Map<string, number>()
  const byPlace = new Map<string, number>()
  let elapsed = 0
  for (const [at, id] of samples.entries()) {
    elapsed += timeDeltas[at] ?? 0
    const frame = frameOf.get(id)
    if (elapsed < skipMicroseconds || frame === undefined || frame.functionName === "(idle)") continue
    const spent = (timeDeltas[at] ?? 0) / calls
    const place = placeOf(frame.url)
    const name = `${frame.functionName || "(anonymous)"}  ${place}:${frame.lineNumber + 1}`
    byFunction.set(name, (byFunction.get(name) ?? 0) + spent)
    byPlace.set(place, (byPlace.get(place) ?? 0) + spent)
  }
  console.log("\nµs per call, by file")
  printTop(byPlace, 30)
  console.log("\nµs per call, by function (self time)")
  printTop(byFunction, 50)
}

function placeOf(url: string): string {
  return url === "" ? "(engine)" : url.replace(/^file:\/\/.*?\/(?=(packages|apps|node_modules)\/)/, "")
}

function printTop(times: ReadonlyMap<string, number>, count: number): void {
  const sorted = [...times].sort(([, a], [, b]) => b - a)
  for (const [name, time] of sorted.slice(0, count)) console.log(`${time.toFixed(1).padStart(8)}  ${name}`)
}
