import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Io } from "../io.ts"

const fileName = "byleave.yaml"

/** Where the configuration is: as written, else `byleave.yaml` here, else in the data folder. */
export function findConfig(written: string | undefined, data: string, io: Pick<Io, "cwd">): string | undefined {
  const candidates = written === undefined ? [join(io.cwd, fileName), join(data, fileName)] : [resolve(io.cwd, written)]
  return candidates.find((path) => existsSync(path))
}

export function ownConfig(data: string): string {
  return join(data, fileName)
}

/** What to do where there is none. */
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

/** The file that `init` writes: everything asks until somebody says otherwise. `presence`: as its reviewer was made. */
export function starterConfigFor(presence: "pin" | "none"): string {
  return starterConfig.replace("presence: pin", `presence: ${presence}`)
}

export const starterConfig = `# What your agents may do. Byleave watches this file: what tightens holds at once, what widens waits for your yes.
# \`byleave policy check --config FILE\` lists problems; docs/guides/policy.md documents every key.
version: 1

# The MCP servers behind Byleave. An agent reaches each at /mcp/NAME, and all of them at /mcp.
#
# servers:
#   files:
#     command: npx
#     args: ["-y", "@modelcontextprotocol/server-filesystem", "."]
#   tracker:
#     url: https://tracker.example.com/mcp
#     headers: { Authorization: "Bearer \${TRACKER_TOKEN}" }

policy:
  # What no rule speaks of waits for a person.
  default: ask
  # To be asked less, let reading run; these two lines suit most servers that only read files:
  # rules:
  #   - allow: "files(read_*)"
  #   - allow: "files(list_*)"
  #   - deny: "files(move_file)"
  #     reason: Move files by hand.

reviewers: { presence: pin }
`
