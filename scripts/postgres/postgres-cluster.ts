import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { findPostgresBinaries, howToGetPostgres } from "./postgres-binaries.mjs"

export type Cluster = { readonly url: string; readonly stop: () => Promise<void> }
/** Why there is no server, and what to do. */
export type MissingCluster = { readonly missing: string }

/** A PostgreSQL server for tests: the one BYLEAVE_TEST_POSTGRES names, else a throw-away one. */
export async function startCluster(): Promise<Cluster | MissingCluster> {
  const given = process.env.BYLEAVE_TEST_POSTGRES
  return given ? { url: given, stop: async () => {} } : startThrowAwayCluster()
}

/** A server of one's own on loopback, gone with everything in it when this process ends, however it ends. */
export async function startThrowAwayCluster(): Promise<Cluster | MissingCluster> {
  const binaries = findPostgresBinaries()
  if (binaries === undefined || process.platform === "win32") return { missing: howToGetPostgres }
  const user = serverUser()
  if ("missing" in user) return user
  const folder = mkdtempSync(join(user.uid === undefined ? tmpdir() : "/tmp", "byleave-postgres-"))
  try {
    return await startIn(folder, binaries, user)
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true })
    throw cause
  }
}

type ServerUser = { readonly uid?: number; readonly gid?: number }

// PostgreSQL refuses to run as root.
function serverUser(): ServerUser | MissingCluster {
  if (process.getuid?.() !== 0) return {}
  try {
    const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { stdio: ["ignore", "pipe", "ignore"] }))
    return { uid: id("-u"), gid: id("-g") }
  } catch {
    return { missing: "PostgreSQL does not run as root and there is no user postgres; run the tests as another user" }
  }
}

async function startIn(folder: string, binaries: string, user: ServerUser): Promise<Cluster> {
  const password = randomBytes(18).toString("base64url")
  const data = join(folder, "data")
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  initialise(folder, data, binaries, password, user)
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const server = runServer(folder, data, binaries, port, user)
    if (await isReady(server, data)) {
      return { url: `postgres://byleave:${password}@127.0.0.1:${port}/postgres`, stop: () => stop(server, folder) }
    }
    // Somebody may have taken the port between our looking and PostgreSQL's binding.
    if (attempt === 5) throw new Error(`PostgreSQL does not start:\n${readFileSync(join(folder, "log"), "utf8")}`)
  }
}

function initialise(folder: string, data: string, binaries: string, password: string, user: ServerUser): void {
  const passwordFile = join(folder, "password")
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user.uid !== undefined && user.gid !== undefined) chownSync(passwordFile, user.uid, user.gid)
  const access = ["--username=byleave", `--pwfile=${passwordFile}`, "--auth-host=scram-sha-256", "--auth-local=trust"]
  const args = ["-D", data, "--encoding=UTF8", "--locale=C", "--no-sync", ...access]
  execFileSync(join(binaries, "initdb"), args, { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] })
}

// A shell stands between us and the server. Its input closes however this process ends, kill -9 included; then it stops
// the server and removes the folder.
const guardian = `
folder=$1; shift
exec 3<&0
"$@" >>"$folder/log" 2>&1 3<&- &
server=$!
asked=
trap 'asked=1; kill -QUIT $server' TERM
( read -r _ <&3; kill -TERM $$ ) &
reader=$!
wait $server
wait $server 2>/dev/null
kill $reader 2>/dev/null
[ -z "$asked" ] || { cd / && rm -rf "$folder"; }
`

function runServer(folder: string, data: string, binaries: string, port: number, user: ServerUser): ChildProcess {
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    "unix_socket_permissions=0700",
    "max_connections=200",
    "shared_buffers=32MB",
    "lc_messages=C",
    // Suites kill processes and servers, never the machine: what the system was given is not lost.
    "fsync=off",
  ]
  const command = [join(binaries, "postgres"), "-D", data, ...settings.flatMap((setting) => ["-c", setting])]
  return spawn("/bin/sh", ["-c", guardian, "sh", folder, ...command], {
    ...user,
    cwd: folder,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
}

// The eighth line of postmaster.pid says how far the server has come.
async function isReady(server: ChildProcess, data: string): Promise<boolean> {
  const file = join(data, "postmaster.pid")
  while (server.exitCode === null && server.signalCode === null) {
    if (existsSync(file) && readFileSync(file, "utf8").split("\n")[7]?.trim() === "ready") return true
    await delay(20)
  }
  return false
}

async function stop(server: ChildProcess, folder: string): Promise<void> {
  if (server.exitCode === null && server.signalCode === null) {
    const exited = once(server, "exit")
    server.stdin?.end()
    await exited
  }
  rmSync(folder, { recursive: true, force: true })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  if (address === null || typeof address === "string") throw new Error("no port")
  return address.port
}
