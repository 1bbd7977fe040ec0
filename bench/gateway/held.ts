/** Many calls that wait for a person at once, through `byleave serve`: what each costs in memory, and how soon a verdict sets one going. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { type ApprovalView, bindVerdict, type Client, deviceKeyFrom } from "@byleave/api"
import { clientFor } from "../../apps/cli/src/reach/connect.ts"
import { readClearKey } from "../../apps/cli/src/reach/terminal-keys.ts"
import { startByleave } from "./byleave.ts"
import { quantile } from "./median.ts"
import { residentBytes } from "./proc.ts"
import { startEcho } from "./programs/echo-server.ts"

export type HeldNumbers = {
  readonly held: number
  readonly bytesEach: number
  readonly secondsToHold: number
  /** From sending a verdict to the call's first byte at the server, in milliseconds. */
  readonly verdictP50: number
  readonly verdictP95: number
}

const verdicts = 200

/** By `apart`; therefore a text. */
export async function measureHeld(count = "10000"): Promise<HeldNumbers> {
  const folder = mkdtempSync(join(tmpdir(), "byleave-bench-"))
  const reachedAt = new Map<string, number>()
  const { url, server } = await startEcho((message, at) => reachedAt.set(message, at))
  const {
    child,
    url: service,
    endpoint,
  } = await startByleave({
    folder,
    behind: { url },
    effect: "ask",
    withReviewer: true,
  })
  let callers: ChildProcess | undefined
  try {
    const client = await reviewerOf(folder, service)
    const mcp = endpoint.transport === "stdio" ? "" : endpoint.url
    const warm = startCallers(mcp, 300)
    await untilWaiting(client, 300)
    warm.kill("SIGKILL")
    const before = residentBytes([child.pid])
    const started = performance.now()
    callers = startCallers(mcp, Number(count))
    await untilWaiting(client, Number(count) + 300)
    const secondsToHold = (performance.now() - started) / 1000
    const bytesEach = Math.round((residentBytes([child.pid]) - before) / Number(count))
    const times = await timeVerdicts(client, reachedAt)
    await checkAnswers(callers, times.length)
    return {
      held: Number(count),
      bytesEach,
      secondsToHold,
      verdictP50: quantile(times, 0.5),
      verdictP95: quantile(times, 0.95),
    }
  } finally {
    callers?.kill("SIGKILL")
    await child.stop()
    server.close().closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  }
}

function startCallers(url: string, count: number): ChildProcess {
  const program = fileURLToPath(new URL("./programs/held-callers.ts", import.meta.url))
  const child = fork(program, [url, `${count}`], {
    stdio: "inherit",
    execArgv: [],
  })
  process.once("exit", () => child.kill("SIGKILL"))
  return child
}

/** The terminal's own key: with `presence: none` it may approve. */
export async function reviewerOf(folder: string, url: string): Promise<Client> {
  const key = readClearKey(join(folder, "data"))
  if (key === undefined) throw new Error("The service has made no reviewer's key.")
  return clientFor(url, await deviceKeyFrom(key.jwk), Date.now)
}

async function untilWaiting(client: Client, count: number): Promise<void> {
  const end = performance.now() + 60_000
  while ((await waiting(client)) < count) {
    if (performance.now() > end) throw new Error(`Only ${await waiting(client)} of ${count} calls wait.`)
    await pause(100)
  }
}

async function waiting(client: Client): Promise<number> {
  const reply = await client.stream("metrics")
  if (!reply.ok) throw new Error(reply.problem.detail)
  const found = /^byleave_waiting (\d+)$/m.exec(await new Response(reply.value).text())
  return Number(found?.[1] ?? 0)
}

async function timeVerdicts(client: Client, reachedAt: ReadonlyMap<string, number>): Promise<readonly number[]> {
  const page = await client.listApprovals({ query: { status: "pending", limit: verdicts } })
  if (!page.ok) throw new Error(page.problem.detail)
  const times: number[] = []
  for (const { id } of page.value.items) {
    const call = await client.getApproval({ params: { id } })
    if (!call.ok) throw new Error(call.problem.detail)
    times.push(await timeVerdict(client, call.value, reachedAt))
  }
  return times
}

async function timeVerdict(
  client: Client,
  approval: ApprovalView,
  reachedAt: ReadonlyMap<string, number>,
): Promise<number> {
  const message = String(approval.args?.message)
  const body = await bindVerdict(approval, { kind: "approve" })
  const started = performance.now()
  const answer = await client.giveVerdict({ params: { id: approval.id }, body })
  if (!answer.ok) throw new Error(answer.problem.detail)
  for (let tries = 0; !reachedAt.has(message) && tries < 2_000; tries++) await pause(1)
  return (reachedAt.get(message) ?? Number.NaN) - started
}

async function checkAnswers(callers: ChildProcess, expected: number): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    callers.send("count")
    const [said] = (await once(callers, "message")) as [
      { answered: number; failed: number; firstProblem: string } | "sent",
    ]
    if (said === "sent") continue
    if (said.failed > 0) throw new Error(`${said.failed} held calls failed: ${said.firstProblem}`)
    if (said.answered === expected) return
    await pause(100)
  }
  throw new Error(`Not all of the ${expected} approved calls were answered.`)
}

if (import.meta.main) console.log(await measureHeld(process.argv[2]))
