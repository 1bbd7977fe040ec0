import { basename } from "node:path"

const runners = new Set(["npx", "node", "bunx", "bun", "uvx", "uv", "python", "python3", "deno", "tsx", "pnpm", "yarn"])

/** A name for a wrapped server, from its command: `npx -y @scope/server-files ./x` is `files`. */
export function serverName(command: string, args: readonly string[]): string {
  const program = plain(command)
  const named = runners.has(program) ? args.find((arg) => !arg.startsWith("-") && !words.has(arg)) : undefined
  const name = plain(named ?? command)
    .replace(/^(mcp-)?server-/, "")
    .replace(/-mcp(-server)?$/, "")
  return name === "" || name === "byleave" ? "server" : name
}

/** Words runners take before the program they run. */
const words = new Set(["run", "exec", "dlx", "x", "tool", "-m"])

function plain(path: string): string {
  const last = basename(path).replace(/(?<=.)@[^@]*$/, "")
  return last
    .replace(/\.(c|m)?(js|ts|py|exe|cmd)$/i, "")
    .replace(/[^\w.-]/g, "-")
    .replace(/__+/g, "_")
}
