/** stdio in front, stdio behind: how much later a wrapped server answers at first, and how much later each call comes back. */
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { fileURLToPath } from "node:url"
import { byleaveProgram, startByleave, wrappedName } from "./byleave.ts"
import type { Endpoint } from "./clients/bench-client.ts"
import { openLean } from "./clients/lean.ts"
import { startDriver } from "./driver.ts"
import { median } from "./median.ts"
import { problemOf } from "./problem.ts"
import { everythingOnStdio } from "./upstream.ts"

export type WrappedNumbers = {
  /** Milliseconds from starting a program to its first list of tools. */
  readonly bareStart: number
  readonly wrappedStart: number
  readonly startRatio: number
  /** Milliseconds a call takes, sequentially: median of the rounds' medians. */
  readonly bareP50: number
  readonly addedEmbedded: number
  readonly addedThroughService: number
  /** Why one of them could not be measured. */
  readonly problems: readonly string[]
}

const embeddedProgram = fileURLToPath(new URL("./programs/embedded-stdio.ts", import.meta.url))

const paces = { quick: { rounds: 3, warmUp: 400 }, full: { rounds: 9, warmUp: 15_000 } } as const

export async function measureWrapped(speed: "quick" | "full" = "full"): Promise<WrappedNumbers> {
  const folder = mkdtempSync(join(tmpdir(), "byleave-bench-"))
  const { child } = await startByleave({ folder, behind: everythingOnStdio })
  const problems: string[] = []
  try {
    const wrapped = wrappedIn(join(folder, "data"))
    const starts = await noted(problems, () => timeStarts(wrapped, paces[speed].rounds))
    const calls = await timeCalls(wrapped, join(folder, "embedded"), paces[speed], problems)
    return {
      ...(starts ?? { bareStart: Number.NaN, wrappedStart: Number.NaN, startRatio: Number.NaN }),
      ...calls,
      problems,
    }
  } finally {
    await child.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function wrappedIn(data: string): Endpoint {
  const { file, args } = everythingOnStdio
  return {
    transport: "stdio",
    file: byleaveProgram,
    args: ["wrap", "--name", wrappedName, "--", process.execPath, file, ...args],
    env: { BYLEAVE_DATA: data },
  }
}

async function timeStarts(
  wrapped: Endpoint,
  rounds: number,
): Promise<Pick<WrappedNumbers, "bareStart" | "wrappedStart" | "startRatio">> {
  const bare: number[] = []
  const ours: number[] = []
  for (let round = 0; round < rounds; round++) {
    bare.push(await timeStart({ transport: "stdio", ...everythingOnStdio }))
    ours.push(await timeStart(wrapped))
  }
  return {
    bareStart: median(bare),
    wrappedStart: median(ours),
    startRatio: median(ours.map((time, round) => time / (bare[round] ?? Number.NaN))),
  }
}

/** Opening a client greets the server and lists its tools. */
async function timeStart(endpoint: Endpoint): Promise<number> {
  const started = performance.now()
  const late = AbortSignal.timeout(20_000)
  const client = await Promise.race([
    openLean(endpoint, { kind: "lean", elicitation: false }),
    once(late, "abort").then(() => Promise.reject(new Error("It listed no tools within 20 s."))),
  ])
  const time = performance.now() - started
  await client.close()
  return time
}

async function timeCalls(
  wrapped: Endpoint,
  folder: string,
  { rounds, warmUp }: { readonly rounds: number; readonly warmUp: number },
  problems: string[],
): Promise<Pick<WrappedNumbers, "bareP50" | "addedEmbedded" | "addedThroughService">> {
  const driver = startDriver()
  const { file, args } = everythingOnStdio
  const endpoints: ReadonlyArray<readonly [string, Endpoint]> = [
    ["bare", { transport: "stdio", file, args }],
    ["embedded", { transport: "stdio", file: embeddedProgram, args: [folder, process.execPath, file, ...args] }],
    ["service", wrapped],
  ]
  const times = new Map<string, number[]>()
  try {
    for (const [target, endpoint] of endpoints) {
      const opened = await noted(problems, () =>
        driver.connect({ target, endpoint, clients: 1, kind: "lean", elicitation: false }),
      )
      if (opened !== null) times.set(target, [])
    }
    const blockOf = (target: string, milliseconds: number) => driver.block({ target, clients: 1, milliseconds })
    for (const target of times.keys()) await blockOf(target, warmUp)
    for (let round = 0; round < rounds; round++) {
      for (const [target, seen] of times) seen.push((await blockOf(target, 300)).p50)
    }
  } finally {
    await driver.stop()
  }
  const bare = times.get("bare") ?? []
  const added = (target: string): number =>
    median((times.get(target) ?? []).map((time, round) => time - (bare[round] ?? Number.NaN)))
  return { bareP50: median(bare), addedEmbedded: added("embedded"), addedThroughService: added("service") }
}

async function noted<T>(problems: string[], work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (cause) {
    problems.push(problemOf(cause))
    return null
  }
}

if (import.meta.main) console.log(await measureWrapped(process.argv[2] === "quick" ? "quick" : "full"))
