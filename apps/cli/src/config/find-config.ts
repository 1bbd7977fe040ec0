import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Io } from "../io.ts"

const fileName = "byleave.yaml"

/** Returns the path of the configuration: the one given, else `byleave.yaml` in the current folder, else the one in the data folder. */
export function findConfig(written: string | undefined, data: string, io: Pick<Io, "cwd">): string | undefined {
  const candidates = written === undefined ? [join(io.cwd, fileName), join(data, fileName)] : [resolve(io.cwd, written)]
  return candidates.find((path) => existsSync(path))
}

export function ownConfig(data: string): string {
  return join(data, fileName)
}

/** Says how to create a configuration where there is none. */
export function noConfig(written: string | undefined, data: string, io: Pick<Io, "cwd">): string {
  if (written !== undefined)
    return `${resolve(io.cwd, written)} does not exist. Specify the configuration with --config.`
  return `No ${fileName} here or in ${data}. Run \`byleave init\` to create one, or write it yourself:

version: 1
servers:
  files:
    command: npx
    args: ["-y", "@modelcontextprotocol/server-filesystem", "."]
policy:
  rules:
    - allow: "files(read_*)"`
}

/** Returns the file that `init` writes: every call needs approval until a rule says otherwise. `presence`: whether the reviewer has a PIN. */
export function starterConfigFor(presence: "pin" | "none"): string {
  return starterConfig.replace("presence: pin", `presence: ${presence}`)
}

export const starterConfig = `# Byleave configuration: the MCP servers your agents use, and the rules for their calls.
# Byleave watches this file. Changes that only restrict take effect immediately; changes that allow more need your approval.
# To find mistakes, run \`byleave policy check --config FILE\`. All keys are described in docs/guides/policy.md.
version: 1

# Servers that Byleave starts or connects to. Agents reach each of them at /mcp/NAME, and all of them at /mcp.
#
# servers:
#   files:
#     command: npx
#     args: ["-y", "@modelcontextprotocol/server-filesystem", "."]
#   tracker:
#     url: https://tracker.example.com/mcp
#     headers: { Authorization: "Bearer \${TRACKER_TOKEN}" }

policy:
  # Calls that match no rule need approval.
  default: ask
  # Rules decide without asking you. For example, allow reading files and deny moving them:
  # rules:
  #   - allow: "files(read_*)"
  #   - allow: "files(list_*)"
  #   - deny: "files(move_file)"
  #     reason: Move files by hand.

# Whether approving requires your PIN: "pin", or "none" for demos.
reviewers: { presence: pin }
`
