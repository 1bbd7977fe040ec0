import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { main } from "../../apps/cli/src/service/fixtures/service-process.ts"

export const hasTerminals = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0

/** The keys typed once what is shown ends with a prompt, at once, or holds these words, as soon as a call takes keys; or how long after them. */
type Typed = readonly [after: string | RegExp, keys: string | (() => string), soon?: number]

/** A command on a terminal of its own, and a person who types. */
export async function atTerminal(
  args: readonly string[],
  typed: readonly Typed[],
  env: Readonly<Record<string, string>> = {},
  columns = 100,
) {
  const words = [`stty rows 40 cols ${columns};`, process.execPath, main, ...args.map((word) => `'${word}'`)].join(" ")
  // Nothing of the runner's is handed on: a test that gives up leaves its program behind, and the run would wait for that.
  const child = spawn("script", ["--quiet", "--return", "--command", words, "/dev/null"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, NO_COLOR: "1", ...env },
  })
  let shown = ""
  let since = 0
  const left = [...typed]
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text
    const [next] = left
    if (next === undefined || !new RegExp(next[0]).test(shown.slice(since))) return
    left.shift()
    since = shown.length
    // A call that has just come up takes no key for half a second.
    const [, keys] = next
    setTimeout(
      () => child.stdin.write(typeof keys === "string" ? keys : keys()),
      next[2] ?? (typeof next[0] === "string" ? 0 : 700),
    )
  })
  const [code] = await once(child, "close")
  return { code: code as number, shown }
}
