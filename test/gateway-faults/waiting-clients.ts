import {
  Client as ModernSdkClient,
  StreamableHTTPClientTransport as ModernSdkTransport,
} from "@modelcontextprotocol/client"
import { Client as LegacySdkClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as LegacySdkTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { modernClient } from "./lean-client.ts"

/** What a client got that waited for a person for longer than it waits for one request. */
export type Waited = { readonly result: unknown; readonly requests: number }

/** `timeoutMs`: after this the client gives a request up. */
export type WaitingClient = (base: string, n: string, timeoutMs: number) => Promise<Waited>

const info = { name: "waiting", version: "1" }

/** Counts the calls a client sends, whatever it does by itself. */
function countingFetch(): { readonly fetch: typeof fetch; readonly calls: () => number } {
  let calls = 0
  return {
    fetch: (input, init) => {
      if (String(init?.body ?? "").includes("tools/call")) calls += 1
      return fetch(input, init)
    },
    calls: () => calls,
  }
}

/** The official client of 2026-07-28: comes back leg by leg, by itself. */
const inLegs: WaitingClient = async (base, n, timeoutMs) => {
  const counting = countingFetch()
  const client = new ModernSdkClient(info, { versionNegotiation: { mode: "auto" } })
  await client.connect(new ModernSdkTransport(new URL(`${base}/mcp/counting`), { fetch: counting.fetch }))
  const { content } = await client.callTool({ name: "act", arguments: { n } }, { timeout: timeoutMs })
  await client.close()
  return { result: content, requests: counting.calls() }
}

/** The official client of 2025-11-25: is given a ticket in time, and repeats its call. */
const byTicket: WaitingClient = async (base, n, timeoutMs) => {
  const counting = countingFetch()
  const client = new LegacySdkClient(info)
  const transport = new LegacySdkTransport(new URL(`${base}/mcp/counting`), { fetch: counting.fetch })
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own transport does not fit its own type under exactOptionalPropertyTypes
  await client.connect(transport as any)
  for (;;) {
    const told = await client.callTool({ name: "act", arguments: { n } }, undefined, { timeout: timeoutMs })
    if (told._meta?.["byleave/ticket"] !== undefined) continue
    await client.close()
    return { result: told.content, requests: counting.calls() }
  }
}

const tasks = { extensions: { "io.modelcontextprotocol/tasks": {} } }

/** A client of the tasks extension: gets a task at once, and asks for it. The official clients do not know it yet. */
const byTask: WaitingClient = async (base, n, timeoutMs) => {
  const client = modernClient(base, tasks)
  const created = (await client.call("act", n).told).result
  if (created?.resultType !== "task") throw new Error(`This is no task: ${JSON.stringify(created)}`)
  const taskId = String(created.taskId)
  for (let requests = 2; ; requests++) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(Number(created.pollIntervalMs), timeoutMs)))
    const task = (await client.request("tasks/get", { taskId }).told).result
    if (task?.status === "working") continue
    const result = task?.result as { readonly content?: unknown } | undefined
    return { result: result?.content ?? task, requests }
  }
}

export const waitingClients: ReadonlyArray<{ readonly name: string; readonly wait: WaitingClient }> = [
  { name: "modern, in legs (official client 2.4)", wait: inLegs },
  { name: "legacy, by ticket and repeat (official client 1.32)", wait: byTicket },
  { name: "tasks, by polling", wait: byTask },
]
