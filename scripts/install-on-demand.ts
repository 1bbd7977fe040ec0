import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** A package that measures or is measured, and that nothing else needs: never a dependency. */
export type OnDemand = { readonly name: string; readonly version: string; readonly file: string }

const root = fileURLToPath(new URL("../.cache/peers/", import.meta.url))

/** The path of its file, if it is installed. */
export function installed({ name, version, file }: OnDemand): string | undefined {
  const path = join(prefixOf(name, version), "node_modules", name, file)
  return existsSync(path) ? path : undefined
}

/** The path of its file, installing it alone and exactly first; throws a sentence when it cannot be had. */
export function installOnDemand(wanted: OnDemand): string {
  const { name, version } = wanted
  const before = installed(wanted)
  if (before !== undefined) return before
  const flags = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
  const args = ["install", ...flags, "--prefix", prefixOf(name, version), `${name}@${version}`]
  const { status, stderr } = spawnSync("npm", args, { encoding: "utf8", timeout: 180_000 })
  const path = installed(wanted)
  if (status === 0 && path !== undefined) return path
  throw new Error(`It could not be installed: ${(stderr ?? "").trim().split("\n")[0] || "npm failed."}`)
}

function prefixOf(name: string, version: string): string {
  return join(root, `${name}@${version}`.replaceAll(/[@/]/g, "_"))
}
