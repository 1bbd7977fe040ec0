/**
 * `npm run dev`: the service from its sources, started anew when one of them changes, and the page with hot reload before it. Three agents wait for
 * answers. Everything lies in `.byleave/dev`; agents need no token there, and approving needs no PIN.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer as createTcpServer } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createServer } from "vite"
import { findService } from "../../apps/cli/src/reach/find-service.ts"
import { keepAsking } from "./agents.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const folder = join(root, ".byleave", "dev")
const workspace = join(folder, "workspace")
const main = join(root, "apps", "cli", "src", "main.ts")
const config = join(folder, "byleave.yaml")
/** Paths that the service answers; the page's own come from its sources. */
const served = ["/api", "/mcp", "/healthz", "/readyz", "/metrics", "/byleave.schema.json"]

const running = await findService({ data: folder })
if (!("missing" in running)) {
  console.error(`\`npm run dev\` is running already: ${running.url}. Stop that one first.`)
  process.exit(1)
}
if (process.argv.includes("--fresh")) rmSync(folder, { recursive: true, force: true })
mkdirSync(workspace, { recursive: true })
writeFileSync(join(workspace, "plan.md"), "# Plan\n\n- build\n- test\n")

const [servicePort, pagePort] = [await freePort(), await freePort(5173)]
writeFileSync(config, configText(pagePort))
const init = ["init", "--presence", "none", "--data", folder]
const set = spawnSync(process.execPath, [main, ...init], { stdio: ["ignore", "ignore", "inherit"] })
if (set.status !== 0) process.exit(set.status ?? 1)

const serve = ["serve", "--data", folder, "--config", config, "--demo", "--port", String(servicePort)]
const watched = ["--watch", "--watch-preserve-output"]
const service = spawn(process.execPath, [...watched, ...process.execArgv, main, ...serve], {
  stdio: ["ignore", "inherit", "inherit"],
})
const url = `http://127.0.0.1:${servicePort}`
const page = await createServer({
  root: join(root, "apps", "inbox"),
  server: {
    host: "127.0.0.1",
    port: pagePort,
    strictPort: true,
    // The names stay as the browser wrote them: its requests are signed for the page's address.
    proxy: Object.fromEntries(served.map((path) => [path, { target: url, changeOrigin: false }])),
  },
})
await page.listen()
await listening(url)
const agents = keepAsking(url, (line) => console.log(line))
console.log(`
The page, which follows its sources: http://127.0.0.1:${pagePort}
Sign in (within ten minutes; restart for another link):
  ${signInLink()}
The service, started anew when its sources change: ${url}
`)
stopWith(service)

function signInLink(): string {
  const printed = spawnSync(process.execPath, [main, "open", "--print", "--data", folder], { encoding: "utf8" }).stdout
  return printed.trim().replace(url, `http://127.0.0.1:${pagePort}`)
}

function stopWith(child: ChildProcess): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal))
  child.on("exit", (code) => {
    agents.stop()
    void page.close().finally(() => process.exit(code ?? 0))
  })
}

/** The wanted port where it is free, otherwise any. */
async function freePort(wanted = 0): Promise<number> {
  const taken = await new Promise<number | null>((resolve) => {
    const probe = createTcpServer()
    probe.once("error", () => resolve(null))
    probe.listen(wanted, "127.0.0.1", () => {
      const address = probe.address()
      const port = typeof address === "object" && address !== null ? address.port : null
      probe.close(() => resolve(port))
    })
  })
  return taken ?? freePort()
}

async function listening(address: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const answered = await fetch(`${address}/healthz`).catch(() => null)
    if (answered?.ok === true) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  console.error("The service did not start within a minute. Its messages are above.")
  process.exit(1)
}

function configText(port: number): string {
  const server = (name: string): string => join(root, "node_modules", "@modelcontextprotocol", name, "dist", "index.js")
  return `version: 1
hosts: ["127.0.0.1:${port}"]
servers:
  files:
    command: node
    args: ${JSON.stringify([server("server-filesystem"), workspace])}
    cwd: ${JSON.stringify(workspace)}
  memory:
    command: node
    args: ${JSON.stringify([server("server-memory")])}
    cwd: ${JSON.stringify(workspace)}
    env: { MEMORY_FILE_PATH: ${JSON.stringify(join(folder, "memory.jsonl"))} }
policy:
  default: ask
  rules:
    - allow: "files(read_*)"
    - allow: "files(list_*)"
    - deny: "files(move_file)"
      reason: Files are moved by hand here.
agents: { anonymous: true }
reviewers: { presence: none }
`
}
