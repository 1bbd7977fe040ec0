import { type ChildProcess, spawn } from "node:child_process"
import type { Endpoint } from "./bench-client.ts"
import type { LeanWire } from "./lean.ts"
import { pendingReplies } from "./pending-replies.ts"

const started = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of started) child.kill("SIGKILL")
})

/** A program on a pair of pipes. */
export function leanStdio({ file, args, env }: Endpoint & { readonly transport: "stdio" }): LeanWire {
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, ...env },
  })
  started.add(child)
  const pending = pendingReplies()
  let rest = ""
  child.stdout.setEncoding("utf8")
  child.stdout.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) if (line.startsWith("{")) pending.take(line)
  })
  child.once("close", (code) => pending.fail(`${file} ended with ${code}.`))
  child.stdin.on("error", () => {})
  return {
    request: (id, method, params) => {
      const reply = pending.expect(id)
      child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`)
      return reply
    },
    notify: async (method) => void child.stdin.write(`{"jsonrpc":"2.0","method":"${method}"}\n`),
    ...(child.pid === undefined ? {} : { pid: child.pid }),
    close: async () => {
      child.stdin.end()
      const force = setTimeout(() => child.kill("SIGKILL"), 2_000)
      await new Promise((resolve) => (child.exitCode === null ? child.once("close", resolve) : resolve(undefined)))
      clearTimeout(force)
    },
  }
}
