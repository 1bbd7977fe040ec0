import { createRequire } from "node:module"
import { join } from "node:path"
import { type Child, freePort, startProgram, untilListening } from "./child.ts"

const installed = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json")
const program = join(installed, "../dist/index.js")

/** The official reference server, as a program on stdio. */
export const everythingOnStdio = { file: program, args: ["stdio"] } as const

/** The same over streamable HTTP. */
export async function startEverything(): Promise<{ readonly url: string; readonly child: Child }> {
  const port = await freePort()
  const child = startProgram({ file: program, args: ["streamableHttp"], env: { PORT: `${port}` } })
  const url = `http://127.0.0.1:${port}/mcp`
  await untilListening(url, child)
  return { url, child }
}
