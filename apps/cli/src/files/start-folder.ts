import { dirname } from "node:path"
import type { Io } from "../io.ts"

/** The folder the user is in. `npm run byleave` moves to the project's own folder and tells where it was called. */
export function startFolder(cwd: string, env: Io["env"]): string {
  const project = env.get("npm_package_json")
  // Other scripts write their own paths, and those are about the project's folder.
  const isOurs = env.get("npm_lifecycle_event") === "byleave" && project !== undefined && dirname(project) === cwd
  return (isOurs ? env.get("INIT_CWD") : undefined) ?? cwd
}
