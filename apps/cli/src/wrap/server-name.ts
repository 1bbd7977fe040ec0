import { basename } from "node:path"
import { ownNameLikeness } from "@byleave/core"

/** Programs whose argument is the server. */
const runners = new Set(["npx", "node", "bunx", "bun", "uvx", "uv", "python", "python3", "deno", "tsx", "pnpm", "yarn"])

/** A name for a wrapped server, from its command: `npx -y @scope/server-files ./x` is `files`. */
export function serverName(command: string, args: readonly string[]): string {
  const program = plainName(command)
  const named = runners.has(program) ? args.find((arg) => !arg.startsWith("-") && !runnerWords.has(arg)) : undefined
  const name = plainName(named ?? command)
    .replace(/^(mcp-)?server-/, "")
    .replace(/-mcp(-server)?$/, "")
  return name === "" || ownNameLikeness(name) === "same" ? "server" : name
}

/** Words runners take before the program they run. */
const runnerWords = new Set(["run", "exec", "dlx", "x", "tool", "-m"])

export function plainName(path: string): string {
  const last = basename(path).replace(/(?<=.)@[^@]*$/, "")
  return last
    .replace(/\.(c|m)?(js|ts|py|exe|cmd)$/i, "")
    .replace(/[^\w.-]/g, "-")
    .replace(/__+/g, "_")
}
