/**
 * MCP servers by way of the service worker.
 *
 * I1. A worker that dies is asked again with the same key: it gives the outcome again, or says that nobody can tell.
 */
import {
  type Call,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  type RunContext,
  type RunOutcome,
} from "@byleave/core"
import { type ListedServer, type PanelMessage, type ToolCallData, typeOf, type WorkerReply } from "../wire/messages.ts"

const mostAttempts = 3

export async function askWorker<Data>(message: PanelMessage): Promise<WorkerReply<Data>> {
  for (let attempt = 1; ; attempt++) {
    try {
      const reply = (await chrome.runtime.sendMessage(message)) as WorkerReply<Data> | undefined
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
  key: string,
  cancelled: Promise<void>,
): Promise<RunOutcome> {
  const { server, tool } = call.tool
  if (holdsRawNumber(args)) {
    return {
      kind: "failed",
      error: "A number in the arguments is longer than a browser can send exactly. It was not sent.",
    }
  }
  const cancel = { type: typeOf(server, "tool/cancel"), payload: { key } } as const
  void cancelled.then(() => askWorker(cancel)).catch(() => {})
  const payload = { name: tool, arguments: args, key }
  return outcomeOf(await askWorker<ToolCallData>({ type: typeOf(server, "tool/call"), payload }))
}

/** The outcome of a call that was sent before; null: it was never sent. */
export async function outcomeByWorker(server: string, key: string): Promise<RunOutcome | null> {
  const asked = { type: typeOf(server, "tool/outcome"), payload: { key } } as const
  const reply = await askWorker<WorkerReply<ToolCallData> | null>(asked)
  return reply.success && reply.data !== null ? outcomeOf(reply.data) : null
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

export function keyOfCall(context: Pick<RunContext, "approval">): string {
  return context.approval ?? `unasked ${crypto.randomUUID()}`
}
