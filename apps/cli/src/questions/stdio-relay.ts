/**
 * Stands between an agent's program and the program that drives it over stdio, such as an editor: the permission questions of the agent's
 * program go to the gate, and its answer goes back. What else passes is decided in relay-messages.ts.
 *
 * I1. When either side ends, what waits is withdrawn and the other side ends, too.
 * I2. The agent's program is never looked for in a folder that nobody named (find-program.ts I2).
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { constants } from "node:os"
import type { Readable } from "node:stream"
import type { ProgramEnd, ProgramStart } from "../launch/run-program.ts"
import { findProgram } from "../wrap/find-program.ts"
import type { PermissionGate } from "./permission-gate.ts"
import { messageLines } from "./read-message.ts"
import { createMessageRelay, type Dialect } from "./relay-messages.ts"

export type StdioRelayOptions = {
  readonly start: ProgramStart
  readonly dialect: Dialect
  readonly gate: PermissionGate
  readonly input: Readable
  readonly output: NodeJS.WritableStream
  /** Tells people what was not passed on, and why. */
  readonly say: (line: string) => void
  /** Resolves when this process is asked to stop. */
  readonly stopped: Promise<unknown>
}

const endMs = 3_000

export async function relayStdio(options: StdioRelayOptions): Promise<ProgramEnd> {
  const { start, dialect, gate, input, output, say } = options
  const { command, args, env, cwd } = start
  const file = findProgram(command, env, cwd)
  if (file === null) return { kind: "missing" }
  const child = spawn(file, args, { env: Object.fromEntries(env), cwd, stdio: ["pipe", "pipe", "inherit"] })
  child.stdin.on("error", () => undefined)
  const relay = createMessageRelay({
    ...{ dialect, gate, say },
    toAgent: (line) => {
      if (child.stdin.writable) child.stdin.write(`${line}\n`)
    },
    toClient: (line) => void output.write(`${line}\n`),
  })
  child.stdout.on("data", messageLines(relay.fromAgent))
  input.on("data", messageLines(relay.fromClient))
  const leave = (): void => {
    relay.close()
    child.stdin.end()
    setTimeout(() => child.kill(), endMs).unref()
  }
  input.once("end", leave)
  input.once("close", leave)
  void options.stopped.then(leave)
  const end = await ended(child)
  relay.close()
  input.destroy()
  return end
}

async function ended(child: ChildProcess): Promise<ProgramEnd> {
  try {
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null]
    return { kind: "ended", code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) }
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    return code === "ENOENT" ? { kind: "missing" } : { kind: "failed", why: message }
  }
}
