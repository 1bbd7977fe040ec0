/**
 * Calls of tools, each sent to its server once.
 *
 * I1. However often a call is asked for with one key, it is sent at most once, also where the worker died in between.
 * I2. A server that cannot be reached has done nothing: that is a failure, and not unknown.
 * I3. A call that cannot be noted is not sent. An outcome that is too large to be noted is told to whoever waits, all the same.
 * I4. Asking for an outcome sends nothing, and a call whose outcome was asked for before it was sent is not sent any more: somebody was told that it is unknown.
 */
import type { JsonObject } from "@byleave/core"
import type { ToolCallData, ToolCallPayload, WorkerReply } from "../wire/messages.ts"
import { shortWords } from "../wire/short-words.ts"
import type { WorkerNotes } from "./call-notes.ts"

/** A connection that a call can go over. Rejecting with `CallRefused` means that the server said no. */
export type ServerLink = {
  readonly call: (name: string, args: JsonObject, signal: AbortSignal) => Promise<ToolCallData>
}

/** The server answered that it does not do this. */
export class CallRefused extends Error {
  override readonly name = "CallRefused"
  constructor(words: string) {
    super(shortWords(words))
  }
}

export type CarryOutPorts = {
  /** Rejects with words for people where the server cannot be reached, or is at another address by now. */
  readonly connect: (server: string, address: string | null) => Promise<ServerLink>
  readonly notes: Pick<WorkerNotes, "noteOf" | "write" | "shorten">
}

export type CarryOut = {
  readonly call: (server: string, payload: ToolCallPayload) => Promise<WorkerReply<ToolCallData>>
  /** The outcome of a call that was asked for before. */
  readonly outcome: (key: string) => Promise<WorkerReply<ToolCallData>>
  readonly cancel: (key: string) => void
  readonly isBusy: () => boolean
}

export function createCarryOut({ connect, notes }: CarryOutPorts): CarryOut {
  const running = new Map<
    string,
    { readonly reply: Promise<WorkerReply<ToolCallData>>; readonly stop: AbortController }
  >()

  const noteSent = async (key: string): Promise<void> => {
    const write = (): Promise<void> => notes.write(key, { reply: null })
    await write().catch(async () => {
      await notes.shorten()
      await write()
    })
  }
  const send = async (server: string, payload: ToolCallPayload, signal: AbortSignal) => {
    const { name, arguments: args, key, address } = payload
    const known = await notes.noteOf(key)
    if (known !== null) return known.reply ?? lost
    let link: ServerLink
    try {
      link = await connect(server, address)
    } catch (error) {
      return failed(wordsOf(error))
    }
    try {
      await noteSent(key)
    } catch {
      return failed("The browser could not note this call before sending it, so it was not sent. Try again.")
    }
    const reply = await link.call(name, args, signal).then(
      (data): WorkerReply<ToolCallData> => ({ success: true, data }),
      (error: unknown) => (error instanceof CallRefused ? failed(error.message) : cutOff(wordsOf(error))),
    )
    await notes.write(key, { reply }).catch(() => undefined)
    return reply
  }
  const lookUp = async (key: string): Promise<WorkerReply<ToolCallData>> => {
    try {
      const known = await notes.noteOf(key)
      if (known === null) await noteSent(key)
      return known?.reply ?? lost
    } catch {
      return lost
    }
  }
  /** One thing at a time for each call: whoever comes meanwhile is told the same. */
  const oneAtATime = (key: string, work: (signal: AbortSignal) => Promise<WorkerReply<ToolCallData>>) => {
    const under = running.get(key)
    if (under !== undefined) return under.reply
    const stop = new AbortController()
    const reply = work(stop.signal).finally(() => running.delete(key))
    running.set(key, { reply, stop })
    return reply
  }
  return {
    call: (server, payload) => oneAtATime(payload.key, (signal) => send(server, payload, signal)),
    outcome: (key) => oneAtATime(key, () => lookUp(key)),
    cancel: (key) => running.get(key)?.stop.abort(),
    isBusy: () => running.size > 0,
  }
}

const lost: WorkerReply<ToolCallData> = {
  success: false,
  error: "Chrome ended the extension's worker while this call ran, so its outcome is not known.",
  isUnknown: true,
}

function failed(error: string): WorkerReply<ToolCallData> {
  return { success: false, error }
}

function cutOff(why: string): WorkerReply<ToolCallData> {
  return { success: false, error: `The connection ended before the server answered: ${why}`, isUnknown: true }
}

function wordsOf(error: unknown): string {
  return shortWords(error instanceof Error ? error.message : String(error))
}
