import { realpathSync } from "node:fs"
import { dirname, join, relative } from "node:path"

/** The real path of the nearest ancestor that exists, with the rest of the path as it was; null when none can be seen. */
export function realPath(path: string): string | null {
  for (let ancestor = path; ; ancestor = dirname(ancestor)) {
    try {
      return join(realpathSync(ancestor), relative(ancestor, path))
    } catch (cause) {
      const isMissing =
        cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR")
      if (!isMissing || ancestor === dirname(ancestor)) return null
    }
  }
}
