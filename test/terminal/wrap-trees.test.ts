/** Clients that end everything below them when they exit, while another client's wrap uses the same service. */
import { type ChildProcess, spawn } from "node:child_process"
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { readServiceFile } from "../../apps/cli/src/reach/service-file.ts"
import { config, decide, makeScene, type Scene, statusOf, type Wrapped, waitingCalls } from "./wrapping.ts"

const patience = { timeout: 20_000 }
const isLinux = process.platform === "linux"

let scene: Scene
afterEach(async () => {
  const pid = readServiceFile(scene.data)?.pid
  await scene.dispose()
  if (pid !== undefined) kill(pid)
})

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // Gone already.
  }
}

/** A client in a session of its own, before a wrap: what it is told it passes on. One handle that it leaves open has a high number. */
const clientProgram = `
const { spawn } = require("node:child_process")
const [command, ...args] = process.argv.slice(1)
const unused = Array(30).fill("ignore")
const wrap = spawn(command, args, { stdio: ["pipe", "pipe", "inherit", "pipe", "ipc", ...unused, "pipe"] })
process.stdin.pipe(wrap.stdin)
wrap.stdout.pipe(process.stdout)
`

async function startClient(made: Scene, env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const args = made.wrapArgs("odd", ...made.oddServer)
  const client = spawn(process.execPath, ["-e", clientProgram, process.execPath, ...args], {
    env: { ...made.env, ...env },
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  })
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "first", version: "1" } }
  client.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello })}\n`)
  await new Promise((resolve) => client.stdout?.once("data", resolve))
  return client
}

type Process = { readonly pid: number; readonly parent: number; readonly group: number; readonly session: number }

function processes(): readonly Process[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1")
      const [, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
      return [{ pid: Number(name), parent: Number(parent), group: Number(group), session: Number(session) }]
    } catch {
      return []
    }
  })
}

function below(root: number): readonly number[] {
  const all = processes()
  const found = [root]
  for (const pid of found) found.push(...all.filter(({ parent }) => parent === pid).map((each) => each.pid))
  return found
}

/** What can only be shared by inheriting it. */
function handlesOf(pid: number): readonly string[] {
  const handles = readdirSync(`/proc/${pid}/fd`).map((handle) => readlinkSync(`/proc/${pid}/fd/${handle}`))
  return handles.filter((handle) => /^(?:pipe|socket):/.test(handle))
}

const killAll = (pids: readonly number[]): void => {
  for (const pid of pids) kill(pid)
}

const ways: ReadonlyArray<(client: number) => void> = [
  (client) => killAll(below(client)),
  (client) => kill(-client),
  (client) =>
    killAll(
      processes()
        .filter(({ session }) => session === client)
        .map(({ pid }) => pid),
    ),
]

async function sceneWithConfig(): Promise<Scene> {
  const made = await makeScene()
  writeFileSync(join(made.data, "byleave.yaml"), config)
  return made
}

async function holdingCall(made: Scene): Promise<{ readonly other: Wrapped; readonly answer: Promise<unknown> }> {
  const other = made.wrap()
  await other.open()
  await other.ask("tools/list", "{}")
  return { other, answer: other.call("echo") }
}

describe.runIf(isLinux)("a client that ends everything below it", { timeout: 60_000 }, () => {
  it("leaves the service that its wrap started to the others: their calls stay held, and reads go on", async () => {
    scene = await sceneWithConfig()
    const first = await startClient(scene, { NODE_OPTIONS: "--no-warnings", CLIENTS_SECRET: "cl-s3cret" })
    const service = readServiceFile(scene.data)
    if (service === undefined || first.pid === undefined) throw new Error("no service was started")
    expect(below(first.pid)).not.toContain(service.pid)
    // It leads a group and a session of its own: clients end theirs as well.
    const own = processes().find(({ pid }) => pid === service.pid)
    expect(own).toMatchObject({ group: service.pid, session: service.pid })
    const environment = readFileSync(`/proc/${service.pid}/environ`, "utf8")
    expect(environment).not.toMatch(/NODE_OPTIONS|CLIENTS_SECRET|CLIENTS_OWN|NODE_CHANNEL/)
    const given = new Set(below(first.pid).flatMap(handlesOf))
    expect(handlesOf(service.pid).filter((handle) => given.has(handle))).toEqual([])
    const { other, answer } = await holdingCall(scene)
    const person = await scene.reviewer(service.url)
    const [held] = await waitingCalls(person, 1)
    if (held === undefined) throw new Error("nothing waits")
    const clients = [first, await startClient(scene, {}), await startClient(scene, {})]
    for (const [at, end] of ways.entries()) {
      const client = clients[at]
      end(client?.pid ?? 0)
      await expect.poll(() => client?.signalCode, patience).toBe("SIGKILL")
      expect((await other.call("surroundings")).result.isError ?? false).toBe(false)
    }
    expect(readServiceFile(scene.data)?.pid).toBe(service.pid)
    expect(await statusOf(person, held.id)).toBe("pending")
    expect((await waitingCalls(person, 1))[0]?.callerWaits).toBe(true)
    await decide(person, "approve", held)
    await answer
    expect(scene.calls().filter((line) => line.startsWith("echo"))).toHaveLength(1)
  })
})

describe("a service that wraps have started, killed", { timeout: 60_000 }, () => {
  it("is brought back without being asked, once, and held calls wait on there; stopped, it stays down", async () => {
    scene = await sceneWithConfig()
    const { other, answer } = await holdingCall(scene)
    const idle = scene.wrap()
    await idle.open()
    const before = readServiceFile(scene.data)
    if (before === undefined) throw new Error("no service was started")
    const [held] = await waitingCalls(await scene.reviewer(before.url), 1)
    if (held === undefined) throw new Error("nothing waits")
    kill(before.pid)
    await expect.poll(() => readServiceFile(scene.data)?.pid, patience).not.toBe(before.pid)
    const after = readServiceFile(scene.data)
    const person = await scene.reviewer(after?.url ?? "")
    await expect.poll(async () => (await waitingCalls(person, 1))[0]?.callerWaits, patience).toBe(true)
    expect((await other.call("surroundings")).result.isError ?? false).toBe(false)
    const starts = [other, idle].flatMap(({ stderr }) => stderr().match(/starting the service/g) ?? [])
    expect(starts, "once at the beginning, and once again").toHaveLength(2)
    await decide(person, "approve", held)
    await answer
    expect(scene.calls().filter((line) => line.startsWith("echo"))).toHaveLength(1)
    expect((await scene.command("stop", "--data", scene.data)).code).toBe(0)
    const { result } = await other.call("surroundings")
    expect(result.isError).toBe(true)
    expect(result.content[0]?.text).toContain("byleave serve")
    expect(readServiceFile(scene.data)).toBeUndefined()
  })
})
