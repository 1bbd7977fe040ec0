/** A client that leaves takes what waits for it along: nobody is there any more for whom a yes could count. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { ApprovalView, Client } from "@byleave/api"
import { afterEach, describe, expect, it } from "vitest"
import { isRunning } from "../../apps/cli/src/reach/launch-service.ts"
import { decide, makeScene, type Scene, statusOf, type Wrapped, waitingCalls } from "./wrapping.ts"

const scenes: Scene[] = []
afterEach(async () => {
  for (const made of scenes.splice(0)) await made.dispose()
})

const patience = { timeout: 20_000, interval: 10 }

/** Whether the process has started the shell that ends its server after it. */
function isWatched(wrap: number): boolean {
  return readdirSync("/proc").some((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const [, parent] = (readFileSync(`/proc/${name}/stat`, "latin1").split(") ").at(-1) ?? "").split(" ")
      return Number(parent) === wrap && readFileSync(`/proc/${name}/cmdline`, "utf8").includes("byleave-watch")
    } catch {
      return false
    }
  })
}

/** Whether the service has no session that goes on. */
async function isOver(person: Client): Promise<boolean> {
  const reply = await person.listSessions()
  if (!reply.ok) throw new Error(reply.problem.detail)
  return reply.value.items.every(({ endedAt }) => endedAt !== null)
}

/** A call that waits, of those that did not wait before. */
async function nextWaiting(person: Client, before: readonly ApprovalView[]): Promise<ApprovalView> {
  const known = new Set(before.map(({ id }) => id))
  const found = (await waitingCalls(person, before.length + 1)).find(({ id }) => !known.has(id))
  if (found === undefined) throw new Error("nothing waits")
  return found
}

/** A wrap of which one call runs until it is let go, and one is held. */
async function runningAndHeld(era: "legacy" | "modern", made: Scene, person: Client) {
  const before = await waitingCalls(person, 0)
  const ran = made.calls().length
  const client = made.wrap()
  if (era === "legacy") await client.open()
  const call = era === "legacy" ? client.call : client.callModern
  void call("patient")
  const running = await nextWaiting(person, before)
  await decide(person, "approve", running)
  await expect.poll(made.calls, patience).toHaveLength(ran + 1)
  void call("echo")
  return { client, running, held: await nextWaiting(person, before) }
}

async function served() {
  const made = await makeScene()
  scenes.push(made)
  const { url } = await made.serve()
  return { made, person: await made.reviewer(url) }
}

const endsInput = ({ child }: Wrapped) => void child.stdin?.end()
const closesBoth = ({ child }: Wrapped): void => {
  child.stdout?.destroy()
  child.stdin?.destroy()
}

describe("a client that is gone", { timeout: 60_000 }, () => {
  it.each([
    { era: "legacy", how: "by the end of its output", leave: endsInput },
    { era: "modern", how: "by the end of its output", leave: endsInput },
    { era: "modern", how: "with both pipes closed", leave: closesBoth },
    { era: "modern", how: "its wrap asked to stop", leave: ({ child }: Wrapped) => void child.kill("SIGINT") },
  ] as const)(
    "$era, $how: what is held is withdrawn at once, while what runs still may end",
    async ({ era, leave }) => {
      const { made, person } = await served()
      const { client, running, held } = await runningAndHeld(era, made, person)
      leave(client)
      await expect.poll(() => statusOf(person, held.id), patience).toBe("cancelled")
      // Its session is over before what runs is given up: nothing else of it can be approved.
      await expect.poll(() => isOver(person), patience).toBe(true)
      expect(await statusOf(person, running.id)).toBe("running")
      await expect(decide(person, "approve", held)).rejects.toThrow()
      made.go()
      await client.ended
      expect(await statusOf(person, running.id)).toBe("succeeded")
      expect(made.calls().map((line) => line.split(" ")[0])).toEqual(["patient"])
    },
  )
})

describe("a wrap that is gone without a word", { timeout: 60_000 }, () => {
  it("by kill -9, or by a second Ctrl-C: the service withdraws what waited for it", async () => {
    const { made, person } = await served()
    const killed = await runningAndHeld("legacy", made, person)
    const stopped = await runningAndHeld("legacy", made, person)
    killed.client.child.kill("SIGKILL")
    // While a call runs, the first lets it end; the second, whenever it comes, does not.
    stopped.client.child.kill("SIGINT")
    const again = setInterval(() => void stopped.client.child.kill("SIGINT"), 1)
    await Promise.all([killed.client.ended, stopped.client.ended])
    clearInterval(again)
    expect(stopped.client.child.exitCode).toBe(1)
    for (const { held, running } of [killed, stopped]) {
      await expect.poll(() => statusOf(person, held.id), patience).toBe("cancelled")
      expect(await statusOf(person, running.id)).toBe("unknown")
    }
  })

  it.skipIf(process.platform === "win32")(
    "ends its server with it, also one that ignores the end of its input",
    async () => {
      const made = await makeScene()
      scenes.push(made)
      await made.serve()
      const told = join(made.data, "stubborn-pid")
      const stubborn = 'require("fs").writeFileSync(process.argv[1], process.pid + "."); setInterval(() => {}, 1000)'
      const client = made.wrapAs("--name", "stubborn", "--", process.execPath, "-e", stubborn, told)
      await expect.poll(() => existsSync(told) && readFileSync(told, "utf8"), patience).toMatch(/\d+\./)
      const pid = Number.parseInt(readFileSync(told, "utf8"), 10)
      expect(isRunning(pid)).toBe(true)
      // A wrap that dies before it has told the shell that ends its server leaves the server behind.
      if (process.platform === "linux") await expect.poll(() => isWatched(client.child.pid ?? 0), patience).toBe(true)
      client.child.kill("SIGKILL")
      await client.ended
      await expect.poll(() => isRunning(pid), patience).toBe(false)
    },
  )
})
