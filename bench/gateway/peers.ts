import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** What a user could pick instead, pinned. Installed on demand, each alone, and never a dependency. */
const peers = {
  "mcp-hub": { version: "4.2.1", bin: "dist/cli.js" },
  "@fiberplane/mcp-gateway": { version: "0.7.1", bin: "bin/mcp-gateway.js" },
  "mcp-remote": { version: "0.15.1", bin: "dist/proxy.js" },
  "mcp-proxy": { version: "6.7.19", bin: "dist/bin/mcp-proxy.mjs" },
  supergateway: { version: "4.0.0", bin: "dist/index.js" },
} as const

export type PeerName = keyof typeof peers

const root = fileURLToPath(new URL("../../.cache/peers/", import.meta.url))

export function titleOf(peer: PeerName): string {
  return `${peer} ${peers[peer].version}`
}

/** The program of a peer; throws a sentence when it cannot be had. A quick run installs nothing. */
export function peerProgram(peer: PeerName, install: boolean): string {
  const { version, bin } = peers[peer]
  const prefix = join(root, `${peer}@${version}`.replaceAll(/[@/]/g, "_"))
  const program = join(prefix, "node_modules", peer, bin)
  if (existsSync(program)) return program
  if (!install) throw new Error("It is not installed; a full run installs it.")
  const flags = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
  const { status, stderr } = spawnSync("npm", ["install", ...flags, "--prefix", prefix, `${peer}@${version}`], {
    encoding: "utf8",
    timeout: 180_000,
  })
  if (status !== 0 || !existsSync(program)) {
    throw new Error(`It could not be installed: ${(stderr ?? "").trim().split("\n")[0] || "npm failed."}`)
  }
  return program
}
