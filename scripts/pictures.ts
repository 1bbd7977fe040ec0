/**
 * `npm run pictures`: takes pictures of every page, in both themes and at the width of a desk and of a phone, into `.cache/pictures/now`.
 * `npm run pictures -- --against COMMIT` takes them of an earlier version as well, and says which differ; `npm run pictures -- --keep` takes those
 * that are committed anew, and those of the guide.
 */
import { globSync, rmSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { runBrowserSuites } from "./browser-suites.ts"
import { buildEarlier } from "./earlier.ts"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const home = join(root, ".cache", "pictures")
const against = process.argv.indexOf("--against")

process.env.BYLEAVE_NIGHTLY = "all"
if (process.argv.includes("--keep")) await take("kept")
else if (against === -1) await take(join(home, "now"))
else await compare(process.argv[against + 1] ?? "HEAD~1")

async function take(folder: string): Promise<void> {
  process.env.BYLEAVE_PICTURES = folder
  const { failed } = await runBrowserSuites(["pictures", "--update-snapshots=all"])
  if (failed > 0) process.exitCode = 1
  else if (folder !== "kept") console.log(`The pictures are in ${relative(root, folder)}.`)
}

/** Pictures that differ count as failed, and so do those without an earlier picture: both are named. */
async function compare(commit: string): Promise<void> {
  const { sha, program } = buildEarlier(commit)
  const now = process.env.BYLEAVE_TEST_PROGRAM
  process.env.BYLEAVE_TEST_PROGRAM = program
  await take(join(home, sha))
  if (now === undefined) delete process.env.BYLEAVE_TEST_PROGRAM
  else process.env.BYLEAVE_TEST_PROGRAM = now
  const output = join(home, `beside-${sha}`)
  rmSync(output, { recursive: true, force: true })
  const { failed } = await runBrowserSuites(["pictures", "--update-snapshots=none", `--output=${output}`])
  const differences = globSync("**/*-diff.png", { cwd: output }).sort()
  for (const path of differences) {
    console.log(`${basename(path, "-diff.png")} differs: ${relative(root, join(output, path))}`)
  }
  if (differences.length === 0 && failed === 0) console.log(`No picture differs from ${sha}.`)
  process.exitCode = failed > 0 ? 1 : 0
}
