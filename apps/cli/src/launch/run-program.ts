/**
 * Starts the programs of agents.
 *
 * I1. A program is never looked for in a folder that nobody named: not in the current one, as Windows does first, nor by an empty part of PATH.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { constants } from "node:os"
import { findProgram } from "../wrap/find-program.ts"

/** How a program ended: with a code, by a signal, or it could not be started. */
export type ProgramEnd =
  | { readonly kind: "ended"; readonly code: number }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly why: string }

export type ProgramStart = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: ReadonlyMap<string, string>
  readonly cwd: string
}

const passedOn = ["SIGTERM", "SIGHUP", "SIGINT"] as const

/** Runs a program on this process's own terminal until it ends. Signals reach it; its exit code is that of a shell: 128 and the signal's number if one ended it. */
export function runProgram({ command, args, env, cwd }: ProgramStart): Promise<ProgramEnd> {
  const file = findProgram(command, env, cwd)
  if (file === null) return Promise.resolve({ kind: "missing" })
  return new Promise((resolve) => {
    let child: ChildProcess | undefined
    // Before the program is there, so that no signal ends this process and leaves the program behind.
    const listeners = passedOn.map((signal) => {
      // The terminal has sent Ctrl-C to the program itself; twice would mean something else to it.
      const pass = (): void => void (signal === "SIGINT" && process.stdin.isTTY ? null : child?.kill(signal))
      process.on(signal, pass)
      return [signal, pass] as const
    })
    child = spawn(file, args, { env: Object.fromEntries(env), cwd, stdio: "inherit" })
    const finish = (end: ProgramEnd): void => {
      for (const [signal, pass] of listeners) process.off(signal, pass)
      resolve(end)
    }
    child.on("error", (error: NodeJS.ErrnoException) =>
      finish(error.code === "ENOENT" ? { kind: "missing" } : { kind: "failed", why: error.message }),
    )
    child.on("exit", (code, signal) =>
      finish({ kind: "ended", code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) }),
    )
  })
}

const longestMs = 20_000
const mostOutput = 4_000_000

export function outputOf({ command, args, env, cwd }: ProgramStart): Promise<string | null> {
  const file = findProgram(command, env, cwd)
  if (file === null) return Promise.resolve(null)
  const limits = { timeout: longestMs, maxBuffer: mostOutput }
  return new Promise((resolve) => {
    const child = execFile(file, args, { env: Object.fromEntries(env), cwd, ...limits }, (error, stdout) =>
      resolve(error === null ? stdout : null),
    )
    child.stdin?.end()
  })
}
