/** `tasks/*`: tasks of ours are answered from their approvals, a server's own by that server; a legacy server's stay on its client's connection. */
import type { JsonObject } from "@byleave/core"
import { cancelTask, findTask, taskNotFound, taskNow, updateTask } from "../hold/tasks.ts"
import { objectAt, textAt } from "../wire/members.ts"
import type { Reply } from "../wire/message.ts"
import { takesTasks, tasksExtension } from "./era.ts"
import { withoutJudged } from "./inquiries.ts"
import { withoutStructure } from "./offered-result.ts"
import { takeUpTask } from "./take-up-task.ts"
import { methodNotFound, type Routed } from "./route.ts"
import { passOn } from "./server-relay.ts"
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
    takeUpTask(relay, record, approval).catch((error: unknown) =>
      context.log(`The task ${id} is not run: ${String(error)}`),
    )
  }
  return taskNow(context, record, approval)
}
