import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const root = fileURLToPath(new URL("../../", import.meta.url))
const filesystem = "@modelcontextprotocol/server-filesystem"

/**
 * The guide starts its server by `npx`. Clients have no patience for a download, and one that is killed during it leaves the cache locked for
 * the next; the server that is installed here is started instead.
 */
const npx = `#!/bin/sh
if [ "$1 $2" != "-y ${filesystem}" ]; then echo "There is no $2 here." >&2; exit 1; fi
shift 2
exec "${process.execPath}" "${join(root, "node_modules", ".bin", "mcp-server-filesystem")}" "$@"
`

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** A home folder of its own, as the guide speaks of it: a project, the folder `notes`, and `byleave` on the PATH. */
export type Scene = {
  readonly home: string
  readonly project: string
  readonly notes: string
  readonly env: Readonly<Record<string, string>>
  /** Writes a file of the guide, with this home and this address in it. */
  readonly write: (path: string, text: string, url?: string) => void
  readonly read: (path: string) => string
  /** Puts a program on the PATH. */
  readonly provide: (name: string, file: string) => void
  readonly byleave: (...args: readonly string[]) => Promise<Ran>
  /** `byleave setup` in the project. */
  readonly setUp: (...args: readonly string[]) => Promise<Ran>
  /** `byleave serve` on any port; resolves to its address. */
  readonly serve: () => Promise<string>
  /** The process ids of the servers behind Byleave. */
  readonly servers: () => readonly number[]
  readonly dispose: () => Promise<void>
}

export function makeScene(): Scene {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "byleave-agents-")))
  const home = join(folder, "home", "me")
  const [project, notes, bin] = [join(home, "project"), join(home, "notes"), join(home, ".local", "bin")]
  const temporary = join(folder, "tmp")
  for (const made of [project, notes, bin, temporary]) mkdirSync(made, { recursive: true })
  spawnSync("git", ["init", "--quiet", project])
  writeFileSync(join(bin, "npx"), npx, { mode: 0o755 })
  symlinkSync(join(root, "bin", "byleave"), join(bin, "byleave"))
  const env = {
    PATH: [bin, dirname(process.execPath), pathOutsideTheProject()].join(delimiter),
    HOME: home,
    LANG: "C.UTF-8",
    TMPDIR: temporary,
  }
  const started: ChildProcess[] = []
  const placeOf = (path: string) => (path.startsWith("~/") ? join(home, path.slice(2)) : join(project, path))
  const byleave = (...args: readonly string[]) => run(join(bin, "byleave"), args, { env, cwd: home })
  const hasService = () => existsSync(join(home, ".local", "share", "byleave"))
  return {
    ...{ home, project, notes, env, byleave },
    setUp: (...args) => run(join(bin, "byleave"), ["setup", "--yes", ...args], { env, cwd: project }),
    read: (path) => readFileSync(placeOf(path), "utf8"),
    write: (path, text, url) => {
      const place = placeOf(path)
      mkdirSync(dirname(place), { recursive: true })
      const local = text.replaceAll("/home/me", home)
      writeFileSync(place, url === undefined ? local : local.replaceAll("http://127.0.0.1:7337", url))
    },
    provide: (name, file) => {
      const start = /\.[cm]?js$/.test(file) ? `"${process.execPath}" "${file}"` : `"${file}"`
      if (start.startsWith(`"${file}`)) chmodSync(file, 0o755)
      writeFileSync(join(bin, name), `#!/bin/sh\nexec ${start} "$@"\n`, { mode: 0o755 })
    },
    serve: async () => {
      const args = ["serve", "--port", "0", "--json"]
      const child = spawn(join(bin, "byleave"), args, { env, cwd: home, stdio: ["ignore", "pipe", "ignore"] })
      started.push(child)
      const [line] = await once(createInterface(child.stdout), "line", { signal: AbortSignal.timeout(30_000) })
      return String(JSON.parse(line).url)
    },
    servers: () => processesWith(`/mcp-server-filesystem ${notes}`),
    dispose: async () => {
      if (hasService()) await byleave("stop")
      for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
      for (const pid of processesWith(folder)) kill(pid)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

/** What a command printed; throws what it said when it failed. */
export async function must(running: Promise<Ran>): Promise<Ran> {
  const ran = await running
  if (ran.code !== 0) throw new Error(ran.stderr)
  return ran
}

type RunOptions = { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly timeout?: number }

async function run(file: string, args: readonly string[], { timeout = 60_000, ...options }: RunOptions): Promise<Ran> {
  const limits = { timeout, killSignal: "SIGKILL", maxBuffer: 16 * 1024 * 1024 } as const
  try {
    return { code: 0, ...(await promisify(execFile)(file, args, { ...options, ...limits })) }
  } catch (cause) {
    const { code, stdout = "", stderr = "" } = cause as { code?: unknown; stdout?: string; stderr?: string }
    return { code: typeof code === "number" ? code : 1, stdout, stderr }
  }
}

/** The machine's own programs, not those `npm run` adds. */
function pathOutsideTheProject(): string {
  const folders = (process.env.PATH ?? "").split(delimiter)
  return folders.filter((folder) => !folder.includes("node_modules")).join(delimiter)
}

/** The processes whose command line holds these words, without this one. */
function processesWith(words: string): readonly number[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,args="], { encoding: "utf8", maxBuffer: 16 * 1024 * 1024 })
  const lines = stdout.split("\n").filter((line) => line.includes(words))
  return lines.map((line) => Number.parseInt(line, 10)).filter((pid) => pid !== process.pid)
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It is gone.
  }
}
