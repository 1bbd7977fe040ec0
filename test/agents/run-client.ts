import { spawn } from "node:child_process"
import { once } from "node:events"

export type ClientStart = {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

export type ClientEnd = { readonly code: number | null; readonly output: string }

const longestRunMs = 150_000
const mostOutput = 20_000

/** Runs a client to its end, without a terminal. One that hangs, or that is stopped, is ended with all it started in its group. */
export async function runClient({ program, args, env, cwd }: ClientStart, stop: AbortSignal): Promise<ClientEnd> {
  stop.throwIfAborted()
  const child = spawn(program, args, { env, cwd, stdio: ["ignore", "pipe", "pipe"], detached: true })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-mostOutput)
    })
  }
  const end = () => killGroup(child.pid)
  const timer = setTimeout(end, longestRunMs)
  stop.addEventListener("abort", end)
  const [code] = await once(child, "exit")
  clearTimeout(timer)
  stop.removeEventListener("abort", end)
  stop.throwIfAborted()
  return { code: code as number | null, output }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL")
  } catch {
    // All of it is gone.
  }
}
