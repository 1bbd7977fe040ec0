/**
 * MCP servers by way of the service worker.
 *
 * I1. The worker is told once to send a call. If it dies, the next one is asked for the outcome: it gives it, or says that nobody can tell, and sends nothing.
 */
import { type Call, isRawNumber, type JsonObject, type JsonValue, type RunOutcome } from "@byleave/core"
import { type ListedServer, type PanelMessage, type ToolCallData, typeOf, type WorkerReply } from "../wire/messages.ts"
import { addressIn } from "./server-address.ts"

const mostAttempts = 3

/** Rejects, or resolves with nothing, where the worker died before it answered. */
export type SendToWorker = (message: PanelMessage) => Promise<unknown>

const byChrome: SendToWorker = (message) => chrome.runtime.sendMessage(message)

/** For what may be asked again: a message that a worker died over is sent to the next one. */
export async function askWorker<Data>(
  message: Exclude<PanelMessage, { type: `mcp/${string}/tool/call` }>,
  send = byChrome,
): Promise<WorkerReply<Data>> {
  for (let attempt = 1; ; attempt++) {
    try {
      const reply = (await send(message)) as WorkerReply<Data> | undefined
      if (reply !== undefined && reply !== null) return reply
    } catch (error) {
      if (attempt === mostAttempts) throw error
    }
    // The worker died before it answered; the next message starts it again.
    if (attempt === mostAttempts) throw new Error("The extension's worker does not answer.")
  }
}

export async function listServer(server: string): Promise<WorkerReply<ListedServer>> {
  return askWorker<ListedServer>({ type: typeOf(server, "tools/list"), payload: {} })
}

/** Sends a call to its server. `key` names the call for as long as somebody may ask what became of it. */
export async function callByWorker(
  call: Call,
  args: JsonObject,
  { key, cancelled }: { readonly key: string; readonly cancelled: Promise<void> },
  send = byChrome,
): Promise<RunOutcome> {
  const { server, tool } = call.tool
  if (holdsRawNumber(args)) {
    return {
      kind: "failed",
      error: "A number in the arguments is longer than a browser can send exactly. It was not sent.",
    }
  }
  let isCancelled = false
  const cancel = { type: typeOf(server, "tool/cancel"), payload: { key } } as const
  void cancelled
    .then(() => {
      isCancelled = true
      return askWorker(cancel, send)
    })
    .catch(() => {})
  // Connecting takes long and may be done again, so it comes first: a worker that dies over it leaves nothing unknown.
  const address = addressIn(call.listed?.definition)
  const ready = await askWorker<null>({ type: typeOf(server, "connect"), payload: { address } }, send).catch(notReady)
  if (!ready.success) return { kind: "failed", error: ready.error }
  if (isCancelled) return { kind: "failed", error: "It was cancelled before it was sent." }
  const payload = { name: tool, arguments: args, key, address }
  const reply = await send({ type: typeOf(server, "tool/call"), payload }).catch(() => null)
  if (reply === undefined || reply === null) return outcomeByWorker(server, key, send)
  return outcomeOf(reply as WorkerReply<ToolCallData>)
}

/** The outcome of a call that the worker was told to send before. */
export async function outcomeByWorker(server: string, key: string, send = byChrome): Promise<RunOutcome> {
  return outcomeOf(await askWorker<ToolCallData>({ type: typeOf(server, "tool/outcome"), payload: { key } }, send))
}

function notReady(error: unknown): WorkerReply<never> {
  const words = error instanceof Error ? error.message : String(error)
  return { success: false, error: `${words} The call was not sent.` }
}

function outcomeOf(reply: WorkerReply<ToolCallData>): RunOutcome {
  if (!reply.success)
    return reply.isUnknown === true ? { kind: "unknown", detail: reply.error } : { kind: "failed", error: reply.error }
  return reply.data.isError === true ? { kind: "failed", error: reply.data } : { kind: "succeeded", result: reply.data }
}

function holdsRawNumber(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false
  return isRawNumber(value) || Object.values(value).some(holdsRawNumber)
}
