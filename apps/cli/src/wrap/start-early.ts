/**
 * The wrapped server's process, started before anything else is loaded: it takes its own time to start, and may take it meanwhile. Nothing
 * is said to it until there is a gate. It lives in a group of its own, which the gateway ends with it; discarded, it ends here.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { accessSync, constants, statSync } from "node:fs"
import { delimiter, join, resolve } from "node:path"
import { endAfterUs } from "./end-after-us.ts"
import type { WrapWords } from "./read-wrap-words.ts"

export type EarlyChild = {
  /** Hands the process over, once; null when it could not be started or is gone. */
  readonly take: () => ChildProcessWithoutNullStreams | null
  /** Ends it, unless somebody has taken it. */
  readonly discard: () => void
}

export function startEarly(
  { command, args }: WrapWords,
  env: ReadonlyMap<string, string>,
  cwd: string,
): EarlyChild | null {
  // Windows has no process groups, and commands there may be scripts: the gateway knows how.
  const file = process.platform === "win32" ? null : fileOf(command, env, cwd)
  if (file === null) return null
  const child = spawn(file, args, { cwd, env: Object.fromEntries(env), stdio: "pipe", detached: true })
  endAfterUs(child.pid)
  let left: ChildProcessWithoutNullStreams | null = child
  // The next start of the program reports why it cannot be started.
  child.on("error", () => {
    left = null
  })
  const discard = (): void => {
    if (left?.pid !== undefined) killGroup(left.pid)
    left = null
  }
  process.once("exit", discard)
  return {
    take: () => {
      const given = left?.exitCode === null && left.signalCode === null && left.pid !== undefined ? left : null
      left = null
      process.off("exit", discard)
      return given
    },
    discard,
  }
}

/** The client's environment without what is Byleave's own. */
export function childEnvironment(env: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...env].filter(([name]) => !name.startsWith("BYLEAVE_")))
}

/** Where the child itself would look, and never in a folder nobody named. */
function fileOf(command: string, env: ReadonlyMap<string, string>, cwd: string): string | null {
  if (command.includes("/")) return resolve(cwd, command)
  const folders = (env.get("PATH") ?? "").split(delimiter).filter((folder) => folder !== "")
  return folders.map((folder) => join(resolve(cwd, folder), command)).find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // No process of the group is left.
  }
}
