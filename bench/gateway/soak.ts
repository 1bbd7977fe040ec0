/** Byleave under load for a while: whether its memory stays where it is. `BENCH_MINUTES` says how long. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startByleave } from "./byleave.ts"
import { startDriver } from "./driver.ts"
import { residentBytes } from "./proc.ts"
import { startEcho } from "./programs/echo-server.ts"

export type SoakNumbers = {
  readonly minutes: number
  readonly calls: number
  readonly megabytesAtEnd: number
  /** The slope of the line through its second half. */
  readonly megabytesPerMinute: number
}

export async function measureSoak(minutes = "0.5"): Promise<SoakNumbers> {
  const folder = mkdtempSync(join(tmpdir(), "byleave-bench-"))
  const { url, server } = await startEcho()
  const { child, endpoint } = await startByleave({ folder, behind: { url } })
  const driver = startDriver()
  try {
    await driver.connect({ target: "soak", endpoint, clients: 16, kind: "lean", elicitation: false })
    const samples: Array<readonly [minute: number, megabytes: number]> = []
    let calls = 0
    const started = performance.now()
    const minute = (): number => (performance.now() - started) / 60_000
    while (minute() < Number(minutes)) {
      calls += (await driver.block({ target: "soak", clients: 16, milliseconds: 500 })).calls
      samples.push([minute(), residentBytes([child.pid]) / 1e6])
    }
    const megabytesPerMinute = slope(samples.slice(Math.floor(samples.length / 2)))
    return { minutes: Number(minutes), calls, megabytesAtEnd: samples.at(-1)?.[1] ?? Number.NaN, megabytesPerMinute }
  } finally {
    await driver.stop()
    await child.stop()
    server.close().closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Least squares. */
function slope(points: ReadonlyArray<readonly [number, number]>): number {
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const over = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0)
  return over / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0)
}

if (import.meta.main) console.log(await measureSoak(process.argv[2]))
