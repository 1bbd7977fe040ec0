import { readdirSync, readFileSync } from "node:fs"

/** CPU time that processes have used so far, in milliseconds: the kernel's own count, to the nanosecond, of all their threads. */
export function cpuMilliseconds(pids: readonly number[]): number {
  return sum(pids, (pid) => sum(threadsOf(pid), (thread) => nanoseconds(`/proc/${pid}/task/${thread}/schedstat`) / 1e6))
}

/** Memory that processes hold at this moment, in bytes. */
export function residentBytes(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const found = /^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`))
    return Number(found?.[1] ?? 0) * 1024
  })
}

/** A process and everything it started. */
export function treeOf(pid: number): readonly number[] {
  const children = threadsOf(pid).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(treeOf)]
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function nanoseconds(path: string): number {
  return Number(textOf(path).split(" ")[0] ?? 0)
}

/** A process or a thread that has just ended counts for nothing. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0)
}
