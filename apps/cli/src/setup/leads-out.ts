import { isAbsolute, relative, sep } from "node:path"
import { realPaths } from "../files/real-paths.ts"

/**
 * Whether links lead from a path below a project's folder to somewhere else, or it cannot be told. A repository may bring links along: what its path says
 * of a file, that it is the project's, is not so then.
 */
export function leadsOutOf(folder: string, path: string): boolean {
  const find = realPaths()
  const [folders, places] = [find(folder), find(path)]
  if (folders === null || places === null) return true
  return !places.every((place) => folders.some((each) => isBelow(each, place)))
}

export const leadsOutWords =
  "A link leads from here out of the project's folder. Put a file in its place, or run setup in the folder that it leads to."

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
