/**
 * The wrapped server's process, started before anything else is loaded: it takes its own time to start, and may take it meanwhile. Nothing
 * is said to it until there is a gate. It lives in a group of its own, which the gateway ends with it; discarded, it ends here.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { endAfterUs } from "./end-after-us.ts"

export type EarlyChild = {
  /** Hands the process over, once; null when it could not be started or is gone. */
  readonly take: () => ChildProcessWithoutNullStreams | null
  /** Ends it, unless somebody has taken it. */
  readonly discard: () => void
}

/** `file`: the command's, as it has been found. */
export function startEarly(
  file: string | null,
  args: readonly string[],
  env: ReadonlyMap<string, string>,
  cwd: string,
): EarlyChild | null {
  // Windows has no process groups, and commands there may be scripts: the gateway knows how.
  if (file === null || process.platform === "win32") return null
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

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // No process of the group is left.
  }
}
