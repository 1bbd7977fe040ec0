// Breaks each numbered invariant on purpose, by its committed patch, and fails when the tests do not notice.
// Works on copies of the tree; a patch names the tests that must go red. `npm run mutants -- decide` tries a part.
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Mutant, readMutants } from "../test/house/mutant-files.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const wanted = process.argv.slice(2)
const mutants = readMutants(root).filter(
  ({ file }) => wanted.length === 0 || wanted.some((part) => file.includes(part)),
)
const survivors: string[] = []
const copies: string[] = []
const children = new Set<ChildProcess>()

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    for (const child of children) child.kill("SIGKILL")
    removeCopies()
    process.exit(1)
  })
}

try {
  const queue = [...mutants]
  const lanes = Array.from({ length: Math.min(2, availableParallelism()) }, () => lane(queue))
  await Promise.all(lanes)
} finally {
  removeCopies()
}
for (const survivor of survivors) console.error(`SURVIVED  ${survivor}`)
const killed = mutants.length - survivors.length
console.log(`${killed} of ${mutants.length} broken invariants were noticed by the tests.`)
console.log(`${killed} passed, ${survivors.length} failed`)
process.exitCode = survivors.length === 0 && mutants.length > 0 ? 0 : 1

async function lane(queue: Mutant[]): Promise<void> {
  const copy = copyTree()
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const noticed = await tryMutant(copy, mutant)
    console.log(`${noticed ? "noticed " : "SURVIVED"}  ${mutant.breaks}`)
    if (!noticed) survivors.push(`${mutant.file} (${mutant.tests.join(" ")})`)
  }
}

async function tryMutant(copy: string, mutant: Mutant): Promise<boolean> {
  apply(copy, mutant, [])
  try {
    return await goesRed(copy, mutant.tests)
  } finally {
    apply(copy, mutant, ["--reverse"])
  }
}

function apply(copy: string, mutant: Mutant, how: readonly string[]): void {
  const { status, stderr } = spawnSync("git", ["apply", ...how, join(root, mutant.file)], {
    cwd: copy,
    encoding: "utf8",
  })
  if (status !== 0) throw new Error(`${mutant.file} does not apply any more; write it anew.\n${stderr}`)
}

/** Red means that tests ran and some failed: a tree that does not even load would prove nothing. */
async function goesRed(copy: string, tests: readonly string[]): Promise<boolean> {
  const report = join(copy, "mutant-report.json")
  const vitest = join(copy, "node_modules", "vitest", "vitest.mjs")
  const args = [vitest, "run", "--bail=1", "--reporter=json", `--outputFile=${report}`, ...tests]
  const child = spawn(process.execPath, args, { cwd: copy, stdio: "ignore" })
  children.add(child)
  await new Promise((resolve) => child.on("exit", resolve))
  children.delete(child)
  const { numFailedTests, numTotalTests } = JSON.parse(readFileSync(report, "utf8")) as Record<string, number>
  rmSync(report)
  if (numTotalTests === 0) throw new Error(`No test ran of ${tests.join(" ")}`)
  return (numFailedTests ?? 0) > 0
}

/** The tree as it is now, with packages that resolve to the copy's own. */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), "byleave-mutants-"))
  copies.push(copy)
  for (const part of ["packages", "apps", "test", "package.json", "vitest.config.ts", "tsconfig.base.json"]) {
    cpSync(join(root, part), join(copy, part), {
      recursive: true,
      filter: (path) => basename(path) !== "node_modules",
    })
  }
  const modules = join(copy, "node_modules")
  mkdirSync(join(modules, "@byleave"), { recursive: true })
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== "@byleave" && name !== "byleave") symlinkSync(join(root, "node_modules", name), join(modules, name))
  }
  for (const name of readdirSync(join(copy, "packages"))) {
    symlinkSync(join(copy, "packages", name), join(modules, "@byleave", name))
  }
  return copy
}

function removeCopies(): void {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true })
}
