/**
 * `tasks/*`: tasks of ours are answered from their approvals, a server's own by that server.
 *
 * I1. A server is asked about a task only by the principal whose call made it, under the name that was given to it.
 * I2. Of a server's tasks a client is listed its own.
 * I3. Nobody has to do with the task of a tool that policy hides from them or denies them, nor hears what its server answers after that. Of a task of ours
 *     that holds for all that its server said; its client still hears of a call that was not sent, and may withdraw it.
 * I4. The end of a server's task is a complete result or an error that was judged: no question reaches a client in it.
 */
import {
  type Approval,
  type ApprovalSummary,
  asObject,
  type JsonObject,
  listAt,
  objectAt,
  summaryOf,
  textAt,
} from "@byleave/core"
import type { TaskState } from "../../hold/task-states.ts"
import { cancelTask, isSettledTask, taskEnded, taskNotFound, taskNow, updateTask } from "../../hold/tasks.ts"
import { errorCode, errorReply } from "../../wire/errors.ts"
import type { Reply } from "../../wire/message.ts"
import { withOwn } from "../../wire/names/twin-names.ts"
import { takesTasks, tasksExtension } from "../era.ts"
import { methodNotFound, type Routed, speakerOf } from "../route.ts"
import { passOn } from "../server-relay.ts"
import { relatedTask } from "../several/exchanged-names.ts"
import { withJudgedEnd } from "../talk/final-reply.ts"
import { withoutJudged } from "../talk/inquiries.ts"
import { taskAsOffered, withoutStructure } from "../tools/offered-result.ts"
import { isOver } from "./handed-tasks.ts"
import { refusalOfTask } from "./refused-task.ts"
import { openTask, type SealedTask } from "./server-tasks.ts"
import { takeUpTask } from "./take-up-task.ts"

const undeclared: Reply = {
  kind: "error",
  error: {
    code: -32021,
    message: `This method needs the client to declare the extension ${tasksExtension}.`,
    data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
  },
}

export async function answerTasks(routed: Routed): Promise<Reply> {
  const { relay, caller, connection, exchange } = routed
  // A client that declares nothing was not told of tasks by anyone.
  if (caller.era === "legacy") return connection.owner === null ? methodNotFound : askLegacy(routed)
  if (!takesTasks(caller)) return undeclared
  const id = textAt(exchange.ask.params, "taskId") ?? ""
  const theirs = openTask(relay.context, id, caller.principal.id)
  return theirs === null ? answerOurs(routed, id) : askServer(routed, id, theirs)
}

async function askLegacy(routed: Routed): Promise<Reply> {
  const { relay, caller } = routed
  const { method, params } = routed.exchange.ask
  if (method === "tasks/list") return listLegacy(routed)
  const name = textAt(params, "taskId") ?? ""
  const theirs = openTask(relay.context, name, caller.principal.id)
  const speaker = speakerOf(routed)
  if (theirs === null || theirs.server !== relay.server.id || (theirs.at ?? null) !== speaker.at) return taskNotFound
  relay.names.remember(speaker, theirs.id, name)
  const reply = await askAbout(routed, theirs)
  if (reply.kind === "error") return reply
  if (method !== "tasks/result") return { kind: "result", result: withOwn(reply.result, { taskId: name }) }
  const result = withRelated(reply.result, name)
  return { kind: "result", result: theirs.other === undefined ? result : withoutStructure(result, theirs.other) }
}

/** Names that nobody here was given are somebody else's tasks. */
async function listLegacy(routed: Routed): Promise<Reply> {
  const { relay, caller } = routed
  const reply = await passOn(routed, null)
  if (reply.kind === "error") return reply
  const tasks: JsonObject[] = []
  for (const listed of listAt(reply.result, "tasks") ?? []) {
    const task = asObject(listed)
    const name = relay.names.taskName(speakerOf(routed), textAt(task, "taskId") ?? "")
    const theirs = name === undefined ? null : openTask(relay.context, name, caller.principal.id)
    if (task === undefined || name === undefined || theirs === null) continue
    if ((await refusalOfTask(relay, caller, theirs)) === null) tasks.push(withOwn(task, { taskId: name }))
  }
  return { kind: "result", result: withOwn(reply.result, { tasks }) }
}

function withRelated(result: JsonObject, name: string): JsonObject {
  const meta = objectAt(result, "_meta")
  const related = objectAt(meta, relatedTask)
  if (related === undefined) return result
  return withOwn(result, { _meta: withOwn(meta ?? {}, { [relatedTask]: withOwn(related, { taskId: name }) }) })
}

const endings: ReadonlySet<string> = new Set(["tasks/result", "tasks/cancel"])

/** The server's answer about its task, unless policy keeps the task from this agent: before it is asked, or by the time it has answered. */
async function askAbout(routed: Routed, theirs: SealedTask): Promise<Reply> {
  const { relay, caller, exchange } = routed
  const { visibility } = relay.context
  const changes = visibility.changes(caller.session)
  const refused = await refusalOfTask(relay, caller, theirs)
  if (refused !== null) return refused
  const { method, params } = exchange.ask
  const { id, tool = null } = theirs
  relay.handedTasks.asked(routed, id)
  const reply = await passOn(routed, tool, { method, params: { ...params, taskId: id } })
  if (reply.kind === "result" && (endings.has(method) || isOver(reply.result))) relay.handedTasks.over(routed, id)
  if (changes === visibility.changes(caller.session)) return reply
  return (await refusalOfTask(relay, caller, theirs)) ?? reply
}

async function askServer(routed: Routed, sealed: string, theirs: SealedTask): Promise<Reply> {
  const { relay, caller } = routed
  if (theirs.server !== relay.server.id) return taskNotFound
  const reply = await askAbout(routed, theirs)
  if (reply.kind === "error") return reply
  const task = await withJudgedEnd(routed, reply.result)
  if (task === null) return noResult
  const shown = await withoutJudged(relay.context, { server: theirs.server, who: caller }, task)
  const told = taskAsOffered(shown, theirs.other)
  return { kind: "result", result: told.taskId === undefined ? told : withOwn(told, { taskId: sealed }) }
}

const noResult = errorReply(
  errorCode.internal,
  "The server gave a question or a task as the result of its task, so nobody can tell what became of the call. Check before you repeat it.",
)

async function answerOurs(routed: Routed, id: string): Promise<Reply> {
  const { relay, caller, exchange } = routed
  const { context } = relay
  const { method, params = {} } = exchange.ask
  if (method === "tasks/cancel") {
    // What it is may have to be read first: nothing of it is sent meanwhile.
    const record = await context.taskStates.record(id, caller.principal.id)
    return record === null || record.server !== relay.server.id ? taskNotFound : cancelTask(context, record)
  }
  const task = await context.taskStates.find(id, caller.principal.id)
  if (task === null || task.record.server !== relay.server.id) return taskNotFound
  if (method === "tasks/update")
    return (await refusalOfTask(relay, caller, task.record)) ?? updateTask(context, id, params)
  const { reply, wasSent } = await stateOfOurs(routed, id, task)
  // After it was read, so that a change meanwhile counts, too.
  return (wasSent ? await refusalOfTask(relay, caller, task.record) : null) ?? reply
}

type StateOfTask = { readonly reply: Reply; readonly wasSent: boolean }

async function stateOfOurs({ relay, caller, exchange }: Routed, id: string, task: TaskState): Promise<StateOfTask> {
  const { context } = relay
  const isAttended = task.approval.status === "running" || context.attended.has(id)
  if (!isSettledTask(task) && isAttended) return { reply: taskNow(context, task), wasSent: wasSent(task.approval) }
  const whole = await context.taskStates.read(id, caller.principal.id)
  if (whole === null) return { reply: taskNotFound, wasSent: false }
  const { record, approval } = whole
  const now = { record, approval: summaryOf(approval) }
  if (isSettledTask(now)) return { reply: taskEnded(context, whole), wasSent: wasSent(approval) }
  if (approval.status !== "running" && !context.attended.has(id)) {
    takeUpTask(relay, record, approval, exchange.isGone).catch((error: unknown) =>
      context.log(`The task ${id} is not run: ${String(error)}`),
    )
  }
  return { reply: taskNow(context, now), wasSent: wasSent(now.approval) }
}

function wasSent(approval: Approval | ApprovalSummary): boolean {
  return "startedAt" in approval
}
