// Breaks each numbered invariant on purpose, by its committed patch, and fails when the tests do not notice.
// Works on copies of the tree; a patch names the tests that must go red. `npm run mutants -- decide` tries a part.
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Mutant, readMutants } from "../test/house/mutant-files.ts"
import { type Cluster, type MissingCluster, startCluster } from "./postgres/postgres-cluster.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
/** For a run of one file; each further one has its own time. */
const longestRunMs = 3 * 60_000
const perFileMs = 15_000
const copies: string[] = []
const children = new Set<ChildProcess>()

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    for (const child of children) end(child)
    removeCopies()
    process.exit(1)
  })
}

const mutants = wantedMutants(process.argv.slice(2))
const cluster = mutants.some(needsPostgres) ? await startCluster() : undefined
try {
  process.exitCode = await tryAll(cluster)
} finally {
  if (cluster !== undefined && "stop" in cluster) await cluster.stop()
  removeCopies()
}

function wantedMutants(parts: readonly string[]): readonly Mutant[] {
  return readMutants(root).filter(({ file }) => parts.length === 0 || parts.some((part) => file.includes(part)))
}

function needsPostgres({ tests }: Mutant): boolean {
  return tests.some(
    (test) =>
      test.startsWith("test/faults/") || readFileSync(join(root, test), "utf8").includes("BYLEAVE_TEST_POSTGRES"),
  )
}

async function tryAll(server: Cluster | MissingCluster | undefined): Promise<number> {
  const missing = server !== undefined && "missing" in server ? server.missing : null
  if (server !== undefined && "url" in server) process.env.BYLEAVE_TEST_POSTGRES = server.url
  const possible = mutants.filter((mutant) => missing === null || !needsPostgres(mutant))
  const skipped = mutants.length - possible.length
  if (possible.length === 0) {
    console.error("There is no deliberate break to try.")
    return 1
  }
  const first = copyTree()
  const red = await redTests(first, [...new Set(possible.flatMap(({ tests }) => tests))])
  if (red.length > 0) {
    console.error(`Nothing was tried, for tests fail without any break. Mend that first: ${red.join("; ")}`)
    return 1
  }
  const failures = await tryEach(possible, first)
  for (const failure of failures) console.error(failure)
  if (skipped > 0) console.log(`${skipped} skipped: ${missing}`)
  const noticed = possible.length - failures.length
  console.log(`${noticed} of ${possible.length} broken invariants were noticed by the tests.`)
  console.log(`${noticed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`)
  return failures.length > 0 || (skipped > 0 && process.env.CI === "true") ? 1 : 0
}

async function tryEach(possible: readonly Mutant[], first: string): Promise<readonly string[]> {
  const queue = [...possible]
  const failures: string[] = []
  const lanes = availableParallelism() > 1 ? [first, copyTree()] : [first]
  await Promise.all(lanes.map((copy) => lane(copy, queue, failures)))
  return failures
}

async function lane(copy: string, queue: Mutant[], failures: string[]): Promise<void> {
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const { file, breaks, tests } = mutant
    try {
      const noticed = await tryMutant(copy, mutant)
      console.log(`${noticed ? "noticed " : "SURVIVED"}  ${breaks}`)
      if (!noticed) failures.push(`SURVIVED  ${file} (${tests.join(" ")})`)
    } catch (trouble) {
      failures.push(`NOT TRIED ${file}: ${String(trouble)}`)
    }
  }
}

async function tryMutant(copy: string, mutant: Mutant): Promise<boolean> {
  apply(copy, mutant, [])
  try {
    return (await redTests(copy, mutant.tests)).length > 0
  } finally {
    apply(copy, mutant, ["--reverse"])
  }
}

function apply(copy: string, mutant: Mutant, how: readonly string[]): void {
  const { status, stderr } = spawnSync("git", ["apply", ...how, join(root, mutant.file)], {
    cwd: copy,
    encoding: "utf8",
  })
  if (status !== 0) throw new Error(`it does not apply any more; write it anew.\n${stderr}`)
}

type VitestReport = {
  readonly numTotalTests: number
  readonly testResults: ReadonlyArray<{
    readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly fullName: string }>
  }>
}

/** The first that ran and failed, where any did: a tree that does not even load would prove nothing. */
async function redTests(copy: string, tests: readonly string[]): Promise<readonly string[]> {
  const report = join(copy, "mutant-report.json")
  rmSync(report, { force: true })
  const vitest = join(copy, "node_modules", "vitest", "vitest.mjs")
  const args = [vitest, "run", "--bail=1", "--reporter=json", `--outputFile=${report}`, ...tests]
  const child = spawn(process.execPath, args, { cwd: copy, stdio: "ignore", detached: process.platform !== "win32" })
  children.add(child)
  const late = setTimeout(() => end(child), longestRunMs + (tests.length - 1) * perFileMs)
  await new Promise((resolve) => child.on("exit", resolve))
  clearTimeout(late)
  children.delete(child)
  if (!existsSync(report)) throw new Error(`these tests did not come to an end: ${tests.join(" ")}`)
  const { numTotalTests, testResults } = JSON.parse(readFileSync(report, "utf8")) as VitestReport
  if (numTotalTests === 0) throw new Error(`no test ran of ${tests.join(" ")}`)
  const ran = testResults.flatMap(({ assertionResults }) => assertionResults)
  return ran.filter(({ status }) => status === "failed").map(({ fullName }) => fullName)
}

/** With all it started: a worker caught in an endless loop would outlive its parent. */
function end(child: ChildProcess): void {
  if (process.platform === "win32" || child.pid === undefined) child.kill("SIGKILL")
  else process.kill(-child.pid, "SIGKILL")
}

/** The tree as it is now, with packages that resolve to the copy's own. */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), "byleave-mutants-"))
  copies.push(copy)
  const parts = ["packages", "apps", "test", "scripts", "package.json", "vitest.config.ts", "tsconfig.base.json"]
  for (const part of parts) {
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
