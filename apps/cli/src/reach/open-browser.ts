import { spawn } from "node:child_process"

const openers = new Map<string, readonly [string, ...string[]]>([
  ["darwin", ["open"]],
  ["win32", ["rundll32", "url.dll,FileProtocolHandler"]],
])

/** Shows an address in the person's browser; false when that cannot be done. */
export function openBrowser(url: string): Promise<boolean> {
  const [command, ...args] = openers.get(process.platform) ?? ["xdg-open"]
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { detached: true, stdio: "ignore" })
    child.once("error", () => resolve(false))
    child.once("spawn", () => {
      child.unref()
      resolve(true)
    })
  })
}
