import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Child, freePort, startProgram, untilListening } from "./child.ts"
import type { Endpoint } from "./clients/bench-client.ts"

/** The bundle that people run, as the set-up keeps it. */
export const byleaveProgram = fileURLToPath(new URL("../../apps/cli/dist/byleave.js", import.meta.url))
const setup = fileURLToPath(new URL("../../scripts/setup.mjs", import.meta.url))

/** How Byleave reaches the server it stands before. */
export type Behind = { readonly url: string } | { readonly file: string; readonly args: readonly string[] }

export type ByleaveOptions = {
  readonly folder: string
  readonly behind: Behind
  /** The bundle of another version, which must be built already. */
  readonly program?: string
  /** The policy's answer to the tool that is called. */
  readonly effect?: "allow" | "ask"
  readonly nodeArgs?: readonly string[]
  /** Makes the terminal a reviewer first, whose key then lies in the data folder. */
  readonly withReviewer?: boolean
}

/** `byleave serve` with 200 rules and its audit durable on SQLite, as a user would run it. */
export async function startByleave(
  options: ByleaveOptions,
): Promise<{ child: Child; endpoint: Endpoint; url: string }> {
  const { folder, nodeArgs = [], program = byleaveProgram } = options
  if (program === byleaveProgram) execFileSync(process.execPath, [setup, "--build"])
  const data = join(folder, "data")
  mkdirSync(data, { mode: 0o700, recursive: true })
  if (options.withReviewer === true) makeReviewer(data)
  const config = join(folder, "byleave.json")
  writeFileSync(config, JSON.stringify(byleaveConfig(options)))
  const port = await freePort()
  const child = startProgram({
    file: program,
    nodeArgs,
    args: ["serve", "--config", config, "--data", data, "--port", String(port), ...switches()],
  })
  const url = `http://127.0.0.1:${port}`
  await untilListening(`${url}/readyz`, child)
  return { child, url, endpoint: { transport: "http", url: `${url}/mcp/everything` } }
}

/** `npm run bench -- --gateway --no-fast-path` says what the fast path gains. */
function switches(): readonly string[] {
  return process.env.BENCH_FAST_PATH === "off" ? ["--no-fast-path"] : []
}

function makeReviewer(data: string): void {
  const args = [byleaveProgram, "init", "--data", data, "--presence", "none"]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: data })
  if (status !== 0) throw new Error(`byleave init failed: ${stderr}`)
}

/** The name of a server behind `wrap`: the service speaks for the others itself. */
export const wrappedName = "wrapped"

/** 200 rules: most about other servers, some about this one, two that let the measured tool through. */
function byleaveConfig({ behind, effect = "allow" }: ByleaveOptions): unknown {
  const others = Array.from({ length: 149 }, (_, n) => ({ deny: `server-${n}(drop_*)` }))
  const own = Array.from({ length: 48 }, (_, n) => ({ deny: `everything(remove_${n}_*)` }))
  const measured = [{ [effect]: "everything(echo)" }, { [effect]: `${wrappedName}(echo)` }]
  return {
    version: 1,
    servers: {
      everything: "url" in behind ? behind : { command: process.execPath, args: [behind.file, ...behind.args] },
    },
    policy: { rules: [...others, ...own, { hide: "*(admin_*)" }, ...measured] },
    limits: { waitingPerSession: 1_000_000 },
    reviewers: { presence: "none" },
    agents: { anonymous: true },
  }
}
