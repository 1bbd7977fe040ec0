import { type ChildProcessByStdio, spawn } from "node:child_process"
import { writeSync } from "node:fs"
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"

/** One JSON line on standard output, written before this returns. */
export function say(message: unknown): void {
  writeSync(1, `${JSON.stringify(message)}\n`)
}

const lines = () => createInterface({ input: process.stdin })[Symbol.asyncIterator]()
let input: ReturnType<typeof lines> | undefined

/** Says that this program is ready, and waits for its turn. */
export async function waitForGo(): Promise<void> {
  input ??= lines()
  say("ready")
  await input.next()
}

/** The last thing a program says; an open input would keep it from ending. */
export function sayLast(message: unknown): void {
  say(message)
  process.stdin.destroy()
}

export type Program = {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** The next line it says; null once it has ended. */
  readonly next: () => Promise<unknown>
  readonly go: () => void
  readonly ended: Promise<number | null>
}

/** Starts one of the programs beside the suites, or of this path, as a process of its own. */
export function startProgram(name: string, args: readonly string[]): Program {
  const file = name.endsWith(".ts") ? name : fileURLToPath(new URL(`./programs/${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, [file, ...args], { stdio: ["pipe", "pipe", "pipe"] })
  let complaint = ""
  child.stderr.on("data", (chunk: Buffer) => {
    complaint += chunk.toString()
  })
  child.stdin.on("error", () => {})
  const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject)
    child.on("exit", (code) => (code === 0 || code === null ? resolve(code) : reject(new Error(complaint))))
  })
  ended.catch(() => {})
  return {
    child,
    next: async () => {
      const line = await said.next()
      return line.done === true ? null : (JSON.parse(line.value) as unknown)
    },
    go: () => child.stdin.write("go\n"),
    ended,
  }
}
