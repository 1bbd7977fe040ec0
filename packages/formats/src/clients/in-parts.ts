import type { FileSyntax } from "./file-syntax.ts"
import { type KeyPath, nodeAt, type PlacedMap, splice } from "./placed-tree.ts"

/** Something to do at a path of a file. */
type AtPath = { readonly path: KeyPath; readonly command?: KeyPath }

/** The work on one map of a file, as if the map were a file of its own. */
type PartWork<Each extends AtPath> = (text: string, steps: readonly Each[], prefix: KeyPath) => string | undefined

/**
 * Does the work of each map within that map's own text, so that a large file is read once and not with every step. Undefined where maps of
 * the file cannot be read by themselves, or one stands within another.
 */
export function inParts<Each extends AtPath>(
  text: string,
  root: PlacedMap,
  steps: readonly Each[],
  syntax: FileSyntax,
  work: PartWork<Each>,
): { readonly text: string | undefined } | undefined {
  const prefixes = new Map(steps.map(({ path }) => [path.slice(0, -1).join("\0"), path.slice(0, -1)]))
  const parts = [...prefixes.values()].map((prefix) => ({ prefix, map: nodeAt(root, prefix) }))
  const ordered = parts.toSorted((one, other) => (other.map?.start ?? 0) - (one.map?.start ?? 0))
  const isApart = ordered.every(
    ({ map }, at) => map?.kind === "map" && map.end <= (ordered[at - 1]?.map?.start ?? text.length),
  )
  if (!syntax.mapsStandAlone || prefixes.has("") || !isApart) return undefined
  let current: string | undefined = text
  for (const { prefix, map } of ordered) {
    if (map === undefined || current === undefined) continue
    const own = current.slice(map.start, map.end)
    const mine = steps.filter(({ path }) => path.slice(0, -1).join("\0") === prefix.join("\0"))
    const done: string | undefined = work(
      own,
      mine.map((step) => moved(step, (path) => path.slice(prefix.length))),
      prefix,
    )
    current = done === undefined ? undefined : splice(current, map.start, map.end, done)
  }
  return { text: current }
}

/** The same at another path. */
export function moved<Each extends AtPath>(step: Each, move: (path: KeyPath) => KeyPath): Each {
  return { ...step, path: move(step.path), ...(step.command && { command: move(step.command) }) }
}
