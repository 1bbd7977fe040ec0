import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { type Behind, startByleave } from "./byleave.ts"
import { freePort, type Program, startProgram, untilListening } from "./child.ts"
import type { Endpoint } from "./clients/bench-client.ts"
import { type PeerName, peerProgram, titleOf } from "./peers.ts"

/** A gateway between client and server. */
export type Target = {
  readonly name: string
  readonly start: (surroundings: Surroundings) => Promise<Running>
}

export type Surroundings = { readonly folder: string; readonly behind: Behind; readonly install: boolean }

export type Running = {
  readonly endpoint: Endpoint
  /** None for what its clients start themselves. */
  readonly pid: number | null
  readonly stop: () => Promise<void>
}

export const byleaveName = "Byleave"
export const bareName = "bare Node reverse proxy"
export const earlierName = "Byleave, the earlier version"
export const directName = "direct"
export const selfCheckName = "direct again (self check)"

export const httpToHttp: readonly Target[] = [
  direct(directName),
  direct(selfCheckName),
  { name: bareName, start: startBare },
  { name: byleaveName, start: startOurs },
  { name: "minimal relay on SDK 1.32", start: startSdkRelay },
  peer("mcp-hub", "over SSE", startHub),
  peer("@fiberplane/mcp-gateway", "", startFiberplane),
  peer("mcp-remote", "a process per client, stdio in front", startRemote),
]

/** Direct is the server's own HTTP face here: the only other way to it from another machine or program. */
export const httpToStdio: readonly Target[] = [
  direct(directName),
  { name: byleaveName, start: startOurs },
  { name: "minimal relay on SDK 1.32", start: startSdkRelay },
  peer("mcp-proxy", "", startMcpProxy),
  peer("mcp-hub", "over SSE", startHub),
  peer("supergateway", "stateful, a child per client", startSupergateway),
]

/** Those whose numbers with clients that can be asked something are compared. */
export const forElicitation: readonly Target[] = httpToHttp.filter(({ name }) =>
  [directName, bareName, byleaveName].includes(name),
)

/** This version beside an earlier one, both before the same server: `npm run bench -- --against COMMIT`. */
export const besideEarlier: readonly Target[] = [
  { name: byleaveName, start: startOurs },
  { name: earlierName, start: startEarlier },
]

/** The server's own address, which the field knows. */
function direct(name: string): Target {
  return {
    name,
    start: async () => {
      throw new Error("Nothing stands between.")
    },
  }
}

type PeerStart = (program: string, surroundings: Surroundings) => Promise<Running>

function peer(name: PeerName, how: string, start: PeerStart): Target {
  return {
    name: how === "" ? titleOf(name) : `${titleOf(name)} (${how})`,
    start: (surroundings) => start(peerProgram(name, surroundings.install), surroundings),
  }
}

async function startOurs({ folder, behind }: Surroundings): Promise<Running> {
  const { child, endpoint } = await startByleave({ folder: join(folder, "byleave"), behind })
  return { endpoint, pid: child.pid, stop: child.stop }
}

async function startEarlier({ folder, behind }: Surroundings): Promise<Running> {
  const program = process.env.BENCH_EARLIER
  if (program === undefined) throw new Error("BENCH_EARLIER names the bundle of the earlier version.")
  const { child, endpoint } = await startByleave({ folder: join(folder, "earlier"), behind, program })
  return { endpoint, pid: child.pid, stop: child.stop }
}

async function startBare({ behind }: Surroundings): Promise<Running> {
  if (!("url" in behind)) throw new Error("A bare proxy needs HTTP behind it.")
  return await listening(await freePort(), (port) => ({ file: own("bare-proxy.ts"), args: [`${port}`, behind.url] }))
}

async function startSdkRelay({ behind }: Surroundings): Promise<Running> {
  const rest = "url" in behind ? [behind.url] : [behind.file, ...behind.args]
  return await listening(await freePort(), (port) => ({ file: own("sdk-relay.ts"), args: [`${port}`, ...rest] }))
}

async function startHub(program: string, { folder, behind }: Surroundings): Promise<Running> {
  const config = join(folder, "mcp-hub.json")
  const server = "url" in behind ? behind : { command: process.execPath, args: [behind.file, ...behind.args] }
  writeFileSync(config, JSON.stringify({ mcpServers: { everything: server } }))
  const start = (port: number): Program => ({
    file: program,
    args: ["--port", `${port}`, "--config", config],
    env: homeIn(folder),
  })
  const port = await freePort()
  const running = await listening(port, start, "/api/health")
  const said = async (): Promise<string> => await (await fetch(`http://127.0.0.1:${port}/api/health`)).text()
  // It listens before it has reached its servers, and clients that come too early are never answered.
  for (let tries = 0; !(await said()).includes('"status":"connected"') && tries < 100; tries++) await pause(100)
  return { ...running, endpoint: { transport: "sse", url: `http://127.0.0.1:${port}/mcp` } }
}

async function startFiberplane(program: string, { folder, behind }: Surroundings): Promise<Running> {
  if (!("url" in behind)) throw new Error("It is measured with HTTP behind it.")
  const storage = join(folder, "fiberplane")
  mkdirSync(storage, { recursive: true })
  const mcpServers = { everything: { type: "http", url: behind.url, headers: {} } }
  writeFileSync(join(storage, "mcp.json"), JSON.stringify({ mcpServers }))
  const start = (port: number): Program => ({
    file: program,
    args: ["--port", `${port}`, "--storage-dir", storage],
    env: homeIn(folder),
  })
  return await listening(await freePort(), start, "/s/everything/mcp")
}

async function startRemote(program: string, { folder, behind }: Surroundings): Promise<Running> {
  if (!("url" in behind)) throw new Error("It needs HTTP behind it.")
  const args = [behind.url, "--transport", "http-only", "--silent"]
  return {
    endpoint: { transport: "stdio", file: program, args, env: homeIn(folder) },
    pid: null,
    stop: async () => {},
  }
}

async function startMcpProxy(program: string, { folder, behind }: Surroundings): Promise<Running> {
  const args = ["--host", "127.0.0.1", "--server", "stream", "--", ...commandOf(behind)]
  return await listening(await freePort(), (port) => ({
    file: program,
    args: ["--port", `${port}`, ...args],
    env: homeIn(folder),
  }))
}

async function startSupergateway(program: string, { folder, behind }: Surroundings): Promise<Running> {
  const flags = ["--outputTransport", "streamableHttp", "--stateful", "--logLevel", "none"]
  return await listening(await freePort(), (port) => ({
    file: program,
    args: ["--stdio", commandOf(behind).join(" "), ...flags, "--port", `${port}`],
    env: homeIn(folder),
  }))
}

async function listening(port: number, program: (port: number) => Program, path = "/mcp"): Promise<Running> {
  const child = startProgram(program(port))
  const url = `http://127.0.0.1:${port}${path}`
  try {
    await untilListening(url, child)
  } catch (cause) {
    await child.stop()
    throw cause
  }
  return { endpoint: { transport: "http", url }, pid: child.pid, stop: child.stop }
}

function commandOf(behind: Behind): readonly string[] {
  if ("url" in behind) throw new Error("It is measured with a program behind it.")
  return [process.execPath, behind.file, ...behind.args]
}

/** Peers keep their things in the user's home; here it is a scratch folder. */
function homeIn(folder: string): Readonly<Record<string, string>> {
  return { HOME: folder, PATH: process.env.PATH ?? "" }
}

function own(name: string): string {
  return fileURLToPath(new URL(`./programs/${name}`, import.meta.url))
}
