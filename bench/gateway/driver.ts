import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { ClientOptions, Endpoint } from "./clients/bench-client.ts"

export type Connect = ClientOptions & { readonly target: string; readonly endpoint: Endpoint; readonly clients: number }
export type Block = { readonly target: string; readonly clients: number; readonly milliseconds: number }

/** The measurements of one block, as its clients saw them; times in milliseconds. */
export type BlockNumbers = {
  readonly calls: number
  readonly perSecond: number
  readonly p50: number
  readonly p95: number
}

/** The clients, in a process of their own. */
export type Driver = {
  /** Answers with the processes that clients of stdio started. */
  readonly connect: (connect: Connect) => Promise<readonly number[]>
  readonly block: (block: Block) => Promise<BlockNumbers>
  readonly stop: () => Promise<void>
}

export type Order =
  | { readonly id: number; readonly connect: Connect }
  | { readonly id: number; readonly block: Block }
  | { readonly id: number; readonly close: true }
export type Reply = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: string }

export function startDriver(): Driver {
  const child = fork(fileURLToPath(new URL("./programs/driver.ts", import.meta.url)), [], {
    stdio: "inherit",
    execArgv: [],
  })
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (cause: Error) => void }>()
  child.on("message", (reply: Reply) => {
    const one = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ("error" in reply) one?.reject(new Error(reply.error))
    else one?.resolve(reply.value)
  })
  child.once("exit", (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`The driver ended with ${code}.`))
  })
  process.once("exit", () => child.kill("SIGKILL"))
  let lastId = 0
  const send = <T>(order: { connect: Connect } | { block: Block } | { close: true }): Promise<T> => {
    const id = ++lastId
    return new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve: (value) => resolve(value as T), reject })
      child.send({ id, ...order })
    })
  }
  return {
    connect: (connect) => send({ connect }),
    block: (block) => send({ block }),
    stop: async () => {
      await send({ close: true }).catch(() => {})
      child.kill("SIGKILL")
    },
  }
}
