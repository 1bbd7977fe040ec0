/**
 * Stands between an agent's program and the program that drives it over stdio, such as an editor. Lines pass as they are in both directions,
 * except the permission questions of the agent's program: those go to the gate, and its answer goes back.
 *
 * I1. A question that the gate is asked never reaches the client, and a client's answer never stands for it.
 * I2. When either side ends, what waits is withdrawn and the other side ends, too.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { constants } from "node:os"
import type { Readable } from "node:stream"
import { asObject, type JsonObject, memberAt, objectAt, readJson, textAt } from "@byleave/core"
import type { ProgramEnd, ProgramStart } from "../launch/run-program.ts"
import type { PermissionAnswer, PermissionGate, PermissionQuestion } from "./permission-gate.ts"

export type RelayedMessage = { readonly method: string; readonly params: JsonObject }

export type AskedPermission = PermissionQuestion & {
  /** The result that says this answer in the protocol's words. */
  readonly reply: (answer: PermissionAnswer) => JsonObject
}

/** A protocol in which an agent's program asks for permission. */
export type Dialect = {
  /** Looks at each message of the agent's program that asks nothing. */
  readonly see?: (message: RelayedMessage) => void
  readonly questionIn: (message: RelayedMessage) => AskedPermission | null
  /** The questions that a message of the client withdraws; null: it withdraws none. */
  readonly withdrawnBy: (message: RelayedMessage) => ((question: PermissionQuestion) => boolean) | null
}

export type StdioRelayOptions = {
  readonly start: ProgramStart
  readonly dialect: Dialect
  readonly gate: PermissionGate
  readonly input: Readable
  readonly output: NodeJS.WritableStream
  /** Resolves when this process is asked to stop. */
  readonly stopped: Promise<unknown>
}

const endMs = 3_000

export async function relayStdio(options: StdioRelayOptions): Promise<ProgramEnd> {
  const { start, dialect, gate, input, output } = options
  const { command, args, env, cwd } = start
  const child = spawn(command, args, { env: Object.fromEntries(env), cwd, stdio: ["pipe", "pipe", "inherit"] })
  const waiting = new Map<AskedPermission, AbortController>()
  child.stdin.on("error", () => undefined)
  const ask = async (id: NonNullable<unknown>, question: AskedPermission): Promise<void> => {
    const controller = new AbortController()
    waiting.set(question, controller)
    const answer = await gate.ask(question, controller.signal)
    waiting.delete(question)
    if (child.stdin.writable)
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: question.reply(answer) })}\n`)
  }
  const fromAgent = lines((line) => {
    const message = messageIn(line)
    const question = message === null || message.id === undefined ? null : dialect.questionIn(message)
    if (question === null || message === null) {
      if (message !== null) dialect.see?.(message)
      output.write(`${line}\n`)
    } else void ask(message.id as NonNullable<unknown>, question)
  })
  const fromClient = lines((line) => {
    const message = messageIn(line)
    const isWithdrawn = message === null ? null : dialect.withdrawnBy(message)
    if (isWithdrawn !== null) for (const [each, controller] of waiting) if (isWithdrawn(each)) controller.abort()
    if (child.stdin.writable) child.stdin.write(`${line}\n`)
  })
  child.stdout.setEncoding("utf8").on("data", fromAgent)
  input.setEncoding("utf8").on("data", fromClient)
  const leave = (): void => {
    for (const controller of waiting.values()) controller.abort()
    child.stdin.end()
    setTimeout(() => child.kill(), endMs).unref()
  }
  input.once("end", leave)
  input.once("close", leave)
  void options.stopped.then(leave)
  const end = await ended(child)
  for (const controller of waiting.values()) controller.abort()
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

/** A request or notification; null where a line is anything else, which passes as it is. */
function messageIn(line: string): (RelayedMessage & { readonly id?: unknown }) | null {
  const read = line.includes('"method"') ? readJson(line) : null
  const message = read?.ok === true ? asObject(read.value) : undefined
  const method = textAt(message, "method")
  if (message === undefined || method === undefined) return null
  return { method, params: objectAt(message, "params") ?? {}, id: memberAt(message, "id") }
}

/** Cuts text into lines, each as it is. */
function lines(onLine: (line: string) => void): (text: string) => void {
  let rest = ""
  return (text) => {
    const parts = (rest + text).split("\n")
    rest = parts.pop() ?? ""
    for (const part of parts) onLine(part)
  }
}
