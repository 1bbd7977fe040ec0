import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs"

/** One dispatch as the server saw it. */
export type Dispatch = { readonly tool: string; readonly n: string }

/** On disk before the server does anything else with the call: no kill of anything hides that it arrived. */
export function countDispatch(path: string, dispatch: Dispatch): void {
  const file = openSync(path, "a")
  writeSync(file, `${JSON.stringify(dispatch)}\n`)
  fsyncSync(file)
  closeSync(file)
}

export function dispatchesIn(path: string): readonly Dispatch[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, "utf8").split("\n")
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Dispatch)
}

/** How often each call, named by its argument `n`, reached the server. */
export function countsIn(path: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { n } of dispatchesIn(path)) counts.set(n, (counts.get(n) ?? 0) + 1)
  return counts
}
