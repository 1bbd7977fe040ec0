import { installed, installOnDemand } from "../../scripts/install-on-demand.ts"

/** Other gateways that a user could pick, pinned. Installed on demand, each alone, and never a dependency. */
const peers = {
  "mcp-hub": { version: "4.2.1", bin: "dist/cli.js" },
  "@fiberplane/mcp-gateway": { version: "0.7.1", bin: "bin/mcp-gateway.js" },
  "mcp-remote": { version: "0.15.1", bin: "dist/proxy.js" },
  "mcp-proxy": { version: "6.7.19", bin: "dist/bin/mcp-proxy.mjs" },
  supergateway: { version: "4.0.0", bin: "dist/index.js" },
} as const

export type PeerName = keyof typeof peers

export function titleOf(peer: PeerName): string {
  return `${peer} ${peers[peer].version}`
}

/** The program of a peer; throws a sentence when it cannot be had. A quick run installs nothing. */
export function peerProgram(peer: PeerName, install: boolean): string {
  const { version, bin } = peers[peer]
  const wanted = { name: peer, version, file: bin }
  if (install) return installOnDemand(wanted)
  const program = installed(wanted)
  if (program === undefined) throw new Error("It is not installed; a full run installs it.")
  return program
}
