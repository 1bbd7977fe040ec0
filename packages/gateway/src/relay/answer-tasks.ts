/** `tasks/*`: tasks of ours are answered from their approvals, a server's own by that server; a legacy server's stay on its client's connection. */
import type { Approval, Call, JsonObject } from "@byleave/core"
import { reviveTask } from "../hold/gated-call.ts"
import { cancelTask, findTask, taskNotFound, taskNow, updateTask } from "../hold/tasks.ts"
import type { Caller, ClientInfo } from "../wire/caller.ts"
import { envelopeKey } from "../wire/envelope.ts"
import { asObject, objectAt, textAt } from "../wire/members.ts"
import type { Reply } from "../wire/message.ts"
import { headersOfRun } from "../wire/param-headers.ts"
import type { TaskRecord } from "../wire/ports.ts"
import { newestModern } from "../wire/versions.ts"
import { takesTasks, tasksExtension } from "./era.ts"
import { withoutJudged } from "./inquiries.ts"
import { sendAsOffered, withoutStructure } from "./offered-result.ts"
import { methodNotFound, type Routed } from "./route.ts"
import { sender } from "./send-approved.ts"
import { passOn, type ServerRelay } from "./server-relay.ts"
import { openTask, type SealedTask } from "./server-tasks.ts"

const undeclared: Reply = {
  kind: "error",
  error: {
    code: -32021,
    message: `This method needs the client to declare the extension ${tasksExtension}.`,
    data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
  },
}

export async function answerTasks(routed: Routed): Promise<Reply> {
  const { relay, caller, place, exchange } = routed
  // Names of tasks are the server's in the legacy era: only a connection nobody shares keeps them apart.
  if (caller.era === "legacy") return place.owner === null ? methodNotFound : askLegacy(routed)
  if (!takesTasks(caller)) return undeclared
  const id = textAt(exchange.ask.params, "taskId") ?? ""
  const theirs = openTask(relay.context, id, caller.principal.id)
  return theirs === null ? answerOurs(routed, id) : askServer(routed, id, theirs)
}

async function askLegacy(routed: Routed): Promise<Reply> {
  const { method, params } = routed.exchange.ask
  const other = routed.place.otherStructures.get(textAt(params, "taskId") ?? "")
  const reply = await passOn(routed)
  if (method !== "tasks/result" || other === undefined || reply.kind === "error") return reply
  return { kind: "result", result: withoutStructure(reply.result, other) }
}

async function askServer(routed: Routed, sealed: string, theirs: SealedTask): Promise<Reply> {
  const { relay, caller, exchange } = routed
  if (theirs.server !== relay.server.id) return taskNotFound
  const { method, params } = exchange.ask
  const reply = await passOn(routed, { method, params: { ...params, taskId: theirs.id } })
  if (reply.kind === "error") return reply
  const task = await withoutJudged(relay.context, { server: theirs.server, who: caller }, reply.result)
  const told = asOffered(task, theirs)
  return { kind: "result", result: told.taskId === undefined ? told : { ...told, taskId: sealed } }
}

/** A task that is done has its result in it. */
export function asOffered(task: JsonObject, { other }: SealedTask): JsonObject {
  const result = objectAt(task, "result")
  return other === undefined || result === undefined ? task : { ...task, result: withoutStructure(result, other) }
}

async function answerOurs({ relay, caller, exchange }: Routed, id: string): Promise<Reply> {
  const { context } = relay
  const { method, params = {} } = exchange.ask
  const found = await findTask(context, id, caller.principal.id)
  if (found === null || found.record.server !== relay.server.id) return taskNotFound
  if (method === "tasks/cancel") return cancelTask(context, id, caller.principal.id)
  if (method === "tasks/update") return updateTask(context, id, params)
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
  const { tool, principal, session, extraParams, args } = approval
  const caller = callerOf(record, approval)
  const place = relay.places.of(caller)
  const call: Call = {
    tool,
    principal,
    session,
    args: args ?? {},
    ...(extraParams === undefined ? {} : { extraParams }),
  }
  const listed = await place.tools.tools()
  const live = listed.get(tool.tool)
  const offered = (await relay.tools.offered(listed)).get(tool.tool)
  const schema = objectAt(live, "inputSchema")
  // Nobody waits for its progress, so of the request nothing but its method is left.
  const route = { relay, caller, place, exchange: { ask: { method: "tools/call" } } }
  const send = sender(route, call, {
    paramsOf: (run) => ({ name: tool.tool, arguments: run }),
    paramHeaders: (run) => headersOfRun(schema, run),
  })
  const told = live === undefined || offered === undefined ? send : sendAsOffered(route, send, { live, offered })
  reviveTask(relay.context, { call, send: told }, approval)
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
