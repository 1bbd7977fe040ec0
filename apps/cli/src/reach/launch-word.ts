import { spawn } from "node:child_process"
import { closeSync, readdirSync, readFileSync } from "node:fs"
import { program } from "../program.ts"

/** The word that makes a process of this program the launcher of a service. It is not typed by people. */
export const launchWord = "launch-service"

/** Starts `serve` in a session of its own, prints its process id, and lets go of it. Its output goes to our standard error. */
export function launchFrom(args: readonly string[]): void {
  closeInherited()
  const child = spawn(process.execPath, [program, "serve", ...args, "--background"], {
    detached: true,
    stdio: ["ignore", 2, 2],
    windowsHide: true,
  })
  child.on("error", (cause) => process.stderr.write(`${cause.message}\n`))
  if (child.pid !== undefined) process.stdout.write(String(child.pid))
  child.unref()
}

const closedOnExec = 0o2000000

/** Handles that our parent process left open, and that the service would inherit: some are numbered higher than Node looks. */
function closeInherited(): void {
  if (process.platform !== "linux") return
  for (const name of readdirSync("/proc/self/fdinfo")) {
    const handle = Number(name)
    if (handle > 2 && isInherited(handle)) closeSync(handle)
  }
}

function isInherited(handle: number): boolean {
  try {
    const [, flags = ""] = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${handle}`, "latin1")) ?? []
    return flags !== "" && (Number.parseInt(flags, 8) & closedOnExec) === 0
  } catch {
    return false
  }
}
