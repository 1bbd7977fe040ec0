/** `tasks/*`: tasks of ours are answered from their approvals, a server's own by that server; a legacy server's stay on its client's connection. */
import type { Approval } from "@byleave/core"
import { reviveTask } from "../hold/gated-call.ts"
import { cancelTask, findTask, taskNotFound, taskNow, updateTask } from "../hold/tasks.ts"
import type { Caller, ClientInfo } from "../wire/caller.ts"
import { envelopeKey } from "../wire/envelope.ts"
import type { Exchange } from "../wire/exchange.ts"
import { asObject, objectAt, textAt } from "../wire/members.ts"
import type { Reply } from "../wire/message.ts"
import type { TaskRecord } from "../wire/ports.ts"
import { newestModern } from "../wire/versions.ts"
import { carrier, toolCall } from "./call-tool.ts"
import { takesTasks, tasksExtension } from "./era.ts"
import { withoutJudged } from "./inquiries.ts"
import { destination, passOn, type ServerRelay } from "./server-relay.ts"
import { openTask } from "./server-tasks.ts"

const methods = new Set(["tasks/get", "tasks/update", "tasks/cancel"])

const notFound: Reply = { kind: "error", error: { code: -32601, message: "Method not found" } }
const undeclared: Reply = {
  kind: "error",
  error: {
    code: -32021,
    message: `This method needs the client to declare the extension ${tasksExtension}.`,
    data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
  },
}

export async function answerTasks(relay: ServerRelay, exchange: Exchange): Promise<Reply> {
  const { caller, ask } = exchange
  if (caller.era === "legacy") {
    // Names of tasks are the server's there: only a connection nobody shares keeps them apart.
    return destination(relay, caller).place.owner === null ? notFound : passOn(relay, exchange)
  }
  if (!methods.has(ask.method)) return notFound
  if (!takesTasks(caller)) return undeclared
  const id = textAt(ask.params, "taskId")
  if (id === undefined) return taskNotFound
  const theirs = openTask(relay.context, id, caller.principal.id)
  if (theirs !== null) return askServer(relay, exchange, id, theirs)
  return answerOurs(relay, exchange, id)
}

async function askServer(
  relay: ServerRelay,
  exchange: Exchange,
  sealed: string,
  theirs: { readonly server: string; readonly id: string },
): Promise<Reply> {
  if (theirs.server !== relay.server.id) return taskNotFound
  const { method, params } = exchange.ask
  const reply = await passOn(relay, { ...exchange, ask: { method, params: { ...params, taskId: theirs.id } } })
  if (reply.kind === "error") return reply
  const task = await withoutJudged(relay.context, { server: theirs.server, who: exchange.caller }, reply.result)
  return { kind: "result", result: task.taskId === undefined ? task : { ...task, taskId: sealed } }
}

async function answerOurs(relay: ServerRelay, { caller, ask }: Exchange, id: string): Promise<Reply> {
  const { context } = relay
  const found = await findTask(context, id, caller.principal.id)
  if (found === null || found.record.server !== relay.server.id) return taskNotFound
  if (ask.method === "tasks/cancel") return cancelTask(context, id, caller.principal.id)
  if (ask.method === "tasks/update") return updateTask(context, id, ask.params ?? {})
  const { approval, record } = found
  const isOpen = approval.status === "pending" || approval.status === "approved"
  if (isOpen && !context.attended.has(id)) {
    revive(relay, record, approval).catch((error: unknown) =>
      context.log(`The task ${id} is not run: ${String(error)}`),
    )
  }
  return taskNow(context, record, approval)
}

/** Whoever is asked about a task nobody waits on waits on it from then on. */
async function revive(relay: ServerRelay, record: TaskRecord, approval: Approval): Promise<void> {
  const args = objectAt(record.params, "arguments") ?? {}
  const caller = callerOf(record, approval)
  const call = toolCall(relay, caller, record.tool, args)
  const ask = { method: "tools/call", params: record.params }
  const schema = objectAt((await destination(relay, caller).place.tools.tools()).get(record.tool), "inputSchema")
  const carry = carrier(relay, call, { caller, ask, paramHeaders: new Map() }, schema)
  reviveTask(relay.context, { call, carry }, approval)
}

function callerOf(record: TaskRecord, approval: Approval): Caller {
  const meta = objectAt(record.params, "_meta")
  const client = objectAt(meta, envelopeKey.client)
  return {
    principal: approval.principal,
    session: record.session,
    conversation: `task ${record.id}`,
    era: "modern",
    version: textAt(meta, envelopeKey.version) ?? newestModern,
    client: typeof client?.name === "string" ? (client as ClientInfo) : null,
    abilities: asObject(objectAt(meta, envelopeKey.abilities)) ?? {},
  }
}
