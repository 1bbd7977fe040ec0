// Brings a fresh clone to where the other scripts can run. Runs before anything is installed, on Node 20 and newer:
// plain JavaScript, nothing imported that does not come with Node. Says nothing when nothing is to do, and never
// on standard output: that is for the script that follows.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { findChromium, howToGetChromium } from "./chromium.mjs"
import { findPostgresBinaries, howToGetPostgres } from "./postgres/postgres-binaries.mjs"

const root = dirname(dirname(fileURLToPath(import.meta.url)))

installDependencies()
requireNewNode()
if (process.argv.includes("--build")) buildCommand()
if (process.argv.includes("--postgres")) providePostgres()
if (process.argv.includes("--chromium")) provideChromium()

function installDependencies() {
  if (dependenciesAreCurrent()) return
  console.error("Installing dependencies (npm ci), once: this takes about a minute.")
  // None of our dependencies needs its install script, so none gets to run one.
  const args = ["ci", "--ignore-scripts", "--no-progress", "--loglevel=error"]
  if (!runQuietly("npm", args, { PATH: pathOutsideTheProject() })) process.exit(1)
}

// npm leaves a record of what it installed, written last; comparing it with the lock file needs no stamp of our own.
function dependenciesAreCurrent() {
  const installed = packagesOf(join(root, "node_modules", ".package-lock.json"))
  if (installed === undefined) return false
  const wanted = packagesOf(join(root, "package-lock.json")) ?? {}
  return Object.entries(wanted).every(([place, entry]) => {
    if (!place.startsWith("node_modules/") && !place.includes("/node_modules/")) return true
    const found = installed[place]
    if (found === undefined) return entry.optional === true || entry.devOptional === true
    return found.version === entry.version && found.link === entry.link
  })
}

function packagesOf(lockFile) {
  if (!existsSync(lockFile)) return undefined
  try {
    return JSON.parse(readFileSync(lockFile, "utf8")).packages
  } catch {
    return undefined
  }
}

// The project brings its own Node; npm ci deletes it while it works, so it must not be running on it.
function pathOutsideTheProject() {
  const ours = join(root, "node_modules")
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.startsWith(ours))
    .join(delimiter)
}

function requireNewNode() {
  if (existsSync(join(root, "node_modules", ".bin", process.platform === "win32" ? "node.cmd" : "node"))) return
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) return
  fail(`Byleave's scripts need Node 22.18 or newer and this is ${process.version}; install Node 24 and try again.`)
}

function buildCommand() {
  if (bundleIsCurrent()) return
  const ours = join(root, "node_modules", ".bin", "node")
  if (!runQuietly(existsSync(ours) ? ours : process.execPath, [join(root, "scripts", "build.ts")], {})) process.exit(1)
}

// Folders count as well: that a file is gone shows in the time of its folder.
function bundleIsCurrent() {
  const built = statSync(join(root, "apps", "cli", "dist", "built"), { throwIfNoEntry: false })?.mtimeMs
  if (built === undefined) return false
  const packages = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name, "src"))
  const apps = ["cli", "inbox"].map((name) => join(root, "apps", name, "src"))
  const sources = [...apps, join(root, "apps", "inbox", "public"), ...packages].filter((folder) => existsSync(folder))
  const files = sources.flatMap((folder) => [
    folder,
    ...readdirSync(folder, { recursive: true }).map((path) => join(folder, path)),
  ])
  files.push(join(root, "package-lock.json"), join(root, "apps", "inbox", "index.html"))
  files.push(join(root, "scripts", "build.ts"), join(root, "scripts", "bundles", "build-inbox.ts"))
  return files.every((file) => statSync(file).mtimeMs < built)
}

function providePostgres() {
  if (process.env.BYLEAVE_TEST_POSTGRES || findPostgresBinaries() !== undefined) return
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version") && existsSync("/usr/bin/apt-get")) {
    if (installPostgres() && findPostgresBinaries() !== undefined) return
  }
  if (process.env.CI === "true") fail(`The PostgreSQL suites cannot run: ${howToGetPostgres}.`)
  console.error(`The PostgreSQL suites will be skipped: ${howToGetPostgres}.`)
}

function provideChromium() {
  if (findChromium() !== undefined) return
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version") && existsSync("/usr/bin/apt-get")) {
    console.error("Installing Chromium (apt-get install chromium), once.")
    const install = ["install", "-y", "-q", "--no-install-recommends", "chromium"]
    const done =
      runQuietly("apt-get", ["update", "-q"], {}) &&
      runQuietly("apt-get", install, { DEBIAN_FRONTEND: "noninteractive" })
    if (done && findChromium() !== undefined) return
  }
  if (process.env.CI === "true") fail(`The browser suites cannot run: ${howToGetChromium}.`)
  console.error(`The browser suites will be skipped: ${howToGetChromium}.`)
}

function installPostgres() {
  console.error("Installing the PostgreSQL server (apt-get install postgresql), once.")
  return withoutMainCluster(() => {
    const install = ["install", "-y", "-q", "--no-install-recommends", "postgresql"]
    return (
      runQuietly("apt-get", ["update", "-q"], {}) &&
      runQuietly("apt-get", install, { DEBIAN_FRONTEND: "noninteractive" })
    )
  })
}

// Debian would create and start a cluster of its own; the tests use a throw-away one and leave no server behind.
function withoutMainCluster(install) {
  const folder = "/etc/postgresql-common/createcluster.d"
  const file = join(folder, "byleave-setup.conf")
  const folderIsOurs = mkdirSync(folder, { recursive: true }) !== undefined
  writeFileSync(file, "create_main_cluster = false\n")
  try {
    return install()
  } finally {
    rmSync(folderIsOurs ? folder : file, { recursive: true, force: true })
  }
}

function runQuietly(command, args, env) {
  const done = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
  })
  if (done.status === 0) return true
  process.stderr.write(`${done.stdout ?? ""}${done.stderr ?? ""}`)
  console.error(`${command} ${args.join(" ")} failed${done.error === undefined ? "" : `: ${done.error.message}`}.`)
  return false
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
