import { spawn } from "node:child_process"
import { findProgram } from "../wrap/find-program.ts"

const openers = new Map<string, readonly [string, ...string[]]>([
  ["darwin", ["open"]],
  ["win32", ["rundll32", "url.dll,FileProtocolHandler"]],
])

/** Shows an address in the person's browser; false when that cannot be done. What opens it is not looked for in `cwd`, which others may have filled. */
export function openBrowser(url: string, env: ReadonlyMap<string, string>, cwd: string): Promise<boolean> {
  const [command, ...args] = openers.get(process.platform) ?? ["xdg-open"]
  const file = findProgram(command, env, cwd)
  if (file === null) return Promise.resolve(false)
  return new Promise((resolve) => {
    const child = spawn(file, [...args, url], { detached: true, stdio: "ignore" })
    child.once("error", () => resolve(false))
    child.once("spawn", () => {
      child.unref()
      resolve(true)
    })
  })
}
