import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import type { ClientStart } from "./run-client.ts"

type Message = { readonly id?: number; readonly method?: string; readonly result?: unknown; readonly error?: unknown }

/** A program that is driven by JSON-RPC over stdio, as an editor would. */
export type Driven = {
  readonly request: (method: string, params: object) => Promise<Record<string, unknown>>
  readonly notify: (method: string, params: object) => void
  /** Resolves with the next notification of this name. */
  readonly heard: (method: string) => Promise<unknown>
  /** Requests that reached the client: questions that nobody answered for it. */
  readonly asked: () => readonly string[]
  readonly output: () => string
  readonly end: () => Promise<void>
}

export function drive({ program, args, env, cwd }: ClientStart, stop: AbortSignal): Driven {
  const child = spawn(program, args, { env, cwd, stdio: "pipe", signal: stop })
  const open = new Map<number, (message: Message) => void>()
  const listeners = new Map<string, () => void>()
  const asked: string[] = []
  let output = ""
  let last = 0
  child.on("error", () => undefined)
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-20_000)
  })
  createInterface(child.stdout).on("line", (line) => {
    output = `${output}${line.slice(0, 500)}\n`.slice(-20_000)
    const message = JSON.parse(line) as Message
    if (message.method === undefined) open.get(message.id ?? 0)?.(message)
    else if (message.id !== undefined) asked.push(message.method)
    else listeners.get(message.method)?.()
  })
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        const id = ++last
        stop.addEventListener("abort", () => reject(new Error(`${method} was not answered.\n${output.slice(-3_000)}`)))
        open.set(id, ({ result, error }) =>
          error === undefined ? resolve(result as Record<string, unknown>) : reject(new Error(JSON.stringify(error))),
        )
        send({ id, method, params })
      }),
    notify: (method, params) => send({ method, params }),
    heard: (method) =>
      new Promise<void>((resolve, reject) => {
        stop.addEventListener("abort", () => reject(new Error(`${method} was not heard.\n${output.slice(-3_000)}`)))
        listeners.set(method, resolve)
      }),
    asked: () => asked,
    output: () => output,
    end: async () => {
      child.stdin.end()
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
    },
  }
}
