import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { afterEach, describe, expect, it } from "vitest"
import { watching } from "./end-after-us.ts"

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL")
})

/** Does not end with its input, nor when it is asked to. */
const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); process.stdout.write("here")'

async function start(script: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"], detached: true })
  started.push(child)
  await once(child.stdout, "data")
  return child
}

/** A watcher that is told these lines; ends when whoever told it is gone, that is at once. */
async function watch(...lines: readonly string[]): Promise<void> {
  const shell = spawn("/bin/sh", ["-c", watching, "watch", "0.1"], { stdio: ["pipe", "ignore", "ignore"] })
  shell.stdin.end(lines.map((line) => `${line}\n`).join(""))
  expect(await once(shell, "exit")).toEqual([0, null])
}

describe.skipIf(process.platform === "win32")("when a wrap is gone", () => {
  it("what it has started is ended, all of it, also what ignores being asked", async () => {
    const [one, two] = [await start(stubborn), await start(stubborn)]
    const gone = Promise.all([once(one, "exit"), once(two, "exit")])
    await watch(`${one.pid}`, `${two.pid}`)
    expect(await gone).toEqual([
      [null, "SIGKILL"],
      [null, "SIGKILL"],
    ])
  })

  it("I1: a process that has the id of one it had started is left alone", async () => {
    const other = await start(stubborn)
    await watch(`${other.pid} 12345`)
    expect(other.signalCode).toBeNull()
    expect(() => process.kill(other.pid ?? 0, 0)).not.toThrow()
  })

  it("nothing is waited for where all has ended already", async () => {
    const child = await start("process.stdout.write('here')")
    if (child.exitCode === null) await once(child, "exit")
    await watch(`${child.pid}`, "999999999")
  })
})
