import { type ChildProcess, spawn } from "node:child_process"
import { createServer } from "node:net"
import { setTimeout as pause } from "node:timers/promises"

/** A program of Node to start, and its surroundings. */
export type Program = {
  readonly file: string
  readonly args?: readonly string[]
  readonly nodeArgs?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

export type Child = {
  readonly pid: number
  /** The end of what it wrote, for the message when it fails. */
  readonly said: () => string
  readonly ended: () => boolean
  readonly stop: () => Promise<void>
}

const running = new Set<ChildProcess>()
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

/** Starts a program whose input stays open and whose output is drained. */
export function startProgram({ file, args = [], nodeArgs = [], env = {}, cwd }: Program): Child {
  const child = spawn(process.execPath, [...nodeArgs, file, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  })
  running.add(child)
  let said = ""
  const keep = (chunk: Buffer): void => {
    said = (said + chunk.toString()).slice(-4000)
  }
  child.stdout.on("data", keep)
  child.stderr.on("data", keep)
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()))
  if (child.pid === undefined) throw new Error(`${file} could not be started.`)
  return {
    pid: child.pid,
    said: () => said.trim(),
    ended: () => child.exitCode !== null || child.signalCode !== null,
    stop: async () => {
      child.kill("SIGTERM")
      await Promise.race([gone, pause(3_000, undefined, { ref: false })])
      child.kill("SIGKILL")
      running.delete(child)
    },
  }
}

/** Waits until something answers there, whatever it says. */
export async function untilListening(url: string, child: Child, seconds = 30): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    if (child.ended()) throw new Error(`It ended while starting. ${child.said()}`)
    if (await answers(url)) return
    await pause(50)
  }
  throw new Error(`Nothing answered at ${url} within ${seconds} s. ${child.said()}`)
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(1_000) })
    await response.body?.cancel()
    return true
  } catch {
    return false
  }
}

/** A port nobody listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
