/**
 * `npm run hosts [-- HOST…]`: the adapters inside the real agent libraries, and runs behind real front ends; each is installed on demand from its own lock file into `.cache/hosts`,
 * with a scripted model and no network. Types are checked against each library, too. Ends with 1 where something is not as it should be.
 */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = join(root, "test/hosts")
const hosts = readdirSync(folder).filter((name) => existsSync(join(folder, name, "package.json")))
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !hosts.includes(name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}. Choose among ${hosts.join(", ")}.`)
  process.exit(2)
}

const problems = hosts.filter((name) => wanted.length === 0 || wanted.includes(name)).flatMap(problemsOf)
for (const problem of problems) console.error(`failed: ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1

function problemsOf(host: string): readonly string[] {
  const { dependencies } = JSON.parse(readFileSync(join(folder, host, "package.json"), "utf8"))
  console.log(
    `── ${Object.entries(dependencies)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}`,
  )
  if (!install(host)) return [`${host}: it could not be installed`]
  const typed = node("node_modules/typescript/bin/tsc", "--noEmit", "-p", join(folder, host))
  const programs = readdirSync(join(folder, host)).filter((name) => /^(?:main|pause)\.ts$/.test(name))
  const failed = programs.filter((program) => !node(join(folder, host, program)))
  return [...(typed ? [] : [`${host}: types`]), ...failed.map((program) => `${host}: ${program}`)]
}

/** The programs find the library by a link, so that none of it is in the project's own tree. */
function install(host: string): boolean {
  const place = join(root, ".cache/hosts", host)
  const lock = readFileSync(join(folder, host, "package-lock.json"), "utf8")
  const link = join(folder, host, "node_modules")
  rmSync(link, { force: true })
  const installed = join(place, "node_modules/.package-lock.json")
  if (!existsSync(installed) || readFileSync(join(place, "package-lock.json"), "utf8") !== lock) {
    rmSync(place, { recursive: true, force: true })
    mkdirSync(place, { recursive: true })
    for (const name of [".npmrc", "package.json", "package-lock.json"]) {
      const source = join(folder, host, name)
      if (existsSync(source)) cpSync(source, join(place, name))
    }
    const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    const { status } = spawnSync("npm", ["ci", ...flags], { cwd: place, stdio: "inherit", timeout: 600_000 })
    if (status !== 0) return false
  }
  symlinkSync(join(place, "node_modules"), link)
  return true
}

function node(...args: readonly string[]): boolean {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", timeout: 300_000 })
  return status === 0
}
