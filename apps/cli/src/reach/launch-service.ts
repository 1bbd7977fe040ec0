/**
 * Starts the service outside the process tree of whoever asks. Some clients end everything below them when they exit: all descendants, their
 * process group, their session. The service belongs to none of these: a launcher in a session of its own starts it in another one
 * and exits, so that its parent is the system's. It inherits no handle, and has the environment it is given here and nothing else.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, readFileSync } from "node:fs"
import { text } from "node:stream/consumers"
import { program } from "../program.ts"
import { launchWord } from "./launch-word.ts"

export type Launch = {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: ReadonlyMap<string, string>
  /** The file that takes what the service says. */
  readonly log: string
}

/** Resolves with the process id of the service, which may still fail to start; null when it could not be launched at all. */
export async function launchService({ args, cwd, env, log }: Launch): Promise<number | null> {
  const file = openSync(log, "w", 0o600)
  const launcher = spawn(process.execPath, [program, launchWord, ...args], {
    cwd,
    env: Object.fromEntries(env),
    detached: true,
    stdio: ["ignore", "pipe", file],
    windowsHide: true,
  })
  closeSync(file)
  const failed = once(launcher, "error").then(() => "")
  const said = await Promise.race([launcher.stdout === null ? "" : text(launcher.stdout), failed])
  const pid = Number(said)
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null
}

/** Whether a process is there and does something: one that ended and was not waited for is still listed by the system. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
  if (process.platform !== "linux") return true
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"))
  } catch {
    return false
  }
}
