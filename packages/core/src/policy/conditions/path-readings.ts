/**
 * Where the text of an argument may lead. Every condition on paths reads it here, so that none of them knows fewer readings than the others.
 *
 * I1. A relative path is read from each folder that it may start from. Where the agent names the folders, or nobody knows them, it is in doubt.
 * I2. A path that systems read in different ways is in doubt.
 * I3. A path leads where its links do; behind a link, `..` leads elsewhere for a program that does not shorten the path first: both are looked at.
 *     A program that shortens a relative path starts from where its folder really is: that is looked at, too.
 */
import { formatPath, type Path, type PathStyle, type ReadPath, readFolder, readPath } from "./path.ts"
import type { PathContext, PathLookup } from "./path-lookup.ts"

/**
 * One way to read a path, or what makes it doubtful. `text`: the same path as a program would follow it. `relative`: what was sent, and the folder that
 * it was read from.
 */
export type PathReading =
  | { readonly ok: true; readonly path: Path; readonly text: string; readonly relative?: Relative }
  | Extract<ReadPath, { readonly ok: false }>

type Relative = { readonly text: string; readonly start: string }

/** A folder that a relative path may start from; null where it is not absolute. */
export type PathStart = { readonly text: string; readonly path: Path | null }

export function startsOf({ bases = [] }: Pick<PathContext, "bases">): readonly PathStart[] {
  return bases.map((text) => ({ text, path: readFolder(text) }))
}

/** Returns at least one reading. */
export function pathReadings(
  text: string,
  style: PathStyle,
  starts: readonly PathStart[],
  { hasRoots }: Pick<PathLookup, "hasRoots">,
): readonly PathReading[] {
  const whole = readPath(text, style, null)
  if (whole.ok) return [{ ...whole, text }]
  if (whole.isRelative && hasRoots) return [{ ...whole, doubt: startsAtRoots }]
  if (!whole.isRelative || starts.length === 0) return [whole]
  return starts.map((start) => {
    const read = readPath(text, style, start.path)
    return read.ok ? { ...read, text: `${start.text}/${text}`, relative: { text, start: start.text } } : read
  })
}

/** Where a path leads by its links; null: nobody can tell. */
export function placesOf(
  { path, text, relative }: Extract<PathReading, { readonly ok: true }>,
  lookup: PathLookup,
): readonly Path[] | null {
  const places = lookup.placesOf(formatPath(path))
  if (!path.climbs || places === null) return places
  const unshortened = lookup.placesOf(text)
  const fromThere = relative === undefined ? [] : placesFrom(relative, path.style, lookup)
  return unshortened === null || fromThere === null ? null : [...places, ...unshortened, ...fromThere]
}

/** Where a relative path leads from the real places of its start. */
function placesFrom({ text, start }: Relative, style: PathStyle, lookup: PathLookup): readonly Path[] | null {
  const found: Path[] = []
  for (const place of lookup.placesOf(start) ?? [null]) {
    const read = readPath(text, style, place)
    const places = read.ok ? lookup.placesOf(formatPath(read.path)) : null
    if (places === null) return null
    found.push(...places)
  }
  return found
}

/** Said of an argument. */
export const startsAtRoots = "is relative, and the agent tells the server which folders it may start from"
