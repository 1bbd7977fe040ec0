import { constants } from "node:fs"
import { access, stat } from "node:fs/promises"
import { delimiter, join, resolve } from "node:path"
import type { UpstreamTransport } from "../../gateway.ts"
import { LinkError } from "../link.ts"

export type StdioTransport = Extract<UpstreamTransport, { kind: "stdio" }>

/** The file a command means: looked for where the child itself would look, never in a folder nobody named. */
export async function findCommand(transport: StdioTransport, searchPath: string): Promise<string> {
  const { command, cwd, env } = transport
  if (/[/\\]/.test(command)) return resolve(cwd, command)
  for (const folder of (env.get("PATH") ?? searchPath).split(delimiter)) {
    if (folder === "") continue
    for (const name of process.platform === "win32" ? [`${command}.exe`, `${command}.cmd`, command] : [command]) {
      const file = join(resolve(cwd, folder), name)
      if (await isExecutable(file)) return file
    }
  }
  throw new LinkError(
    "unreachable",
    `The command ${JSON.stringify(command)} is not found. Install it, or write its full path into the configuration.`,
  )
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}
