/**
 * One look at the file system for the judgements of many calls.
 *
 * I1. A path that was followed is not followed again, whichever call or policy asks.
 * I2. No more paths are followed than so many, and nobody takes what was not followed for a path that leads nowhere: `wasCut` says that there was one.
 * I3. What could not be followed is asked again: a call with fewer paths may get further.
 */
import type { FindPlaces } from "../conditions/path-lookup.ts"

export type SharedPlaces = {
  readonly realPaths: () => FindPlaces
  /** Whether a path was left out since this was asked last. */
  readonly wasCut: () => boolean
}

/** `most`: absent: all are followed, and as many remembered as usual. */
export function sharePlaces(realPaths: () => FindPlaces, most = Number.POSITIVE_INFINITY): SharedPlaces {
  const known = new Map<string, readonly string[]>()
  let left = most
  let isCut = false
  return {
    realPaths: () => {
      let find: FindPlaces | undefined
      return (path) => {
        const before = known.get(path)
        if (before !== undefined) return before
        if (left <= 0) {
          isCut = true
          return null
        }
        left -= 1
        find ??= realPaths()
        const places = find(path)
        if (places !== null && known.size < mostRemembered) known.set(path, places)
        return places
      }
    },
    wasCut: () => {
      const was = isCut
      isCut = false
      return was
    },
  }
}

const mostRemembered = 131_072
