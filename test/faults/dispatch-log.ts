import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs"

/** One line per dispatch, appended whole: what really ran, as an upstream server would have seen it. */
export function logDispatch(path: string, what: string): void {
  const file = openSync(path, "a")
  writeSync(file, `${what}\n`)
  closeSync(file)
}

export function dispatchCounts(path: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  if (!existsSync(path)) return counts
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line !== "") counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  return counts
}
