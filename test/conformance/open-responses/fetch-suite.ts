import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"
import type { Suite } from "./suite.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const commit = "92c12d96d7b61d6d15e2214daa5e9c6000ab6e1c"
const repository = "https://github.com/Stars1233/openresponses.git"

/** The Open Responses suite, fetched once and bundled; a sentence where it cannot be had. `from`: another place of the repository. */
export async function fetchSuite(from: string = repository): Promise<Suite | string> {
  const folder = join(root, ".cache/open-responses", commit)
  try {
    if (!existsSync(join(folder, "src/lib/compliance-tests.ts"))) fetchInto(folder, from)
    const outfile = join(folder, "suite.mjs")
    await build({
      entryPoints: [join(folder, "src/lib/compliance-tests.ts")],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "silent",
      nodePaths: [join(root, "node_modules")],
      // It is written for zod 3, which zod 4 brings along.
      alias: { zod: "zod/v3" },
    })
    return await import(pathToFileURL(outfile).href)
  } catch (error) {
    return `The Open Responses suite could not be fetched from ${from}: ${reasonOf(error)}`
  }
}

function fetchInto(folder: string, from: string): void {
  mkdirSync(folder, { recursive: true })
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "pipe", timeout: 120_000 })
  git("init", "--quiet")
  git("fetch", "--quiet", "--depth", "1", from, commit)
  git("checkout", "--quiet", commit)
}

function reasonOf(error: unknown): string {
  const said = error instanceof Error && "stderr" in error ? String(error.stderr) : ""
  const text = said.trim() || (error instanceof Error ? error.message : String(error))
  return text.split("\n").at(-1) ?? ""
}
