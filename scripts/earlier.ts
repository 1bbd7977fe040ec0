/** An earlier version of Byleave, built in a folder of its own with its own dependencies. */
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))

export type EarlierVersion = {
  readonly sha: string
  /** The built command. */
  readonly program: string
}

export function buildEarlier(commit: string): EarlierVersion {
  const sha = git("rev-parse", "--short", `${commit}^{commit}`)
  const folder = join(root, ".cache", "earlier", sha)
  if (!existsSync(folder)) {
    git("clone", "--quiet", "--no-checkout", root, folder)
    execFileSync("git", ["-C", folder, "checkout", "--quiet", sha])
  }
  console.error(`building ${sha}`)
  execFileSync("npm", ["run", "--silent", "build"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] })
  return { sha, program: join(folder, "apps/cli/dist/byleave.js") }
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()
}
