/**
 * Names that a legacy server and its client give each other, under names of ours: a server behind HTTP gives its tasks names that hold for all its clients,
 * and behind one path several servers may choose the same ones.
 *
 * I1. Of a server's task hears only the principal whose call made it.
 * I2. Progress and tasks of a client reach only the server that asked for them, in the conversation in which it asked.
 * I3. A server can ask a client about no other tasks than those that the client made of its own questions, in this conversation; it is listed no others.
 * I4. A server asks about a client's task, and hears of it and of its progress, only while policy lets it ask the question that the task was made of.
 */
import { randomUUID } from "node:crypto"
import { asObject, type JsonObject, type JsonValue, listAt, memberAt, objectAt, textAt } from "@byleave/core"
import type { HoldContext } from "../../hold/context.ts"
import { taskNotFound } from "../../hold/tasks.ts"
import type { Caller } from "../../wire/caller.ts"
import type { Ask, Notice, Reply } from "../../wire/message.ts"
import { mayAsk, type QuestionKind, questionKinds } from "../talk/inquiries.ts"
import { openTask, sealTask } from "../tasks/server-tasks.ts"
import type { OtherStructure } from "../tools/offered-result.ts"

/** Whose words they are. `at`: the conversation whose own process gave the name, where each has one; null: it holds for the whole server. */
export type Speaker = {
  readonly caller: Pick<Caller, "principal" | "session" | "conversation">
  readonly at: string | null
}

export type ExchangedNames = {
  /** The result of a call that the server made a task of, with our name of it. */
  readonly newTask: (of: Speaker, tool: string, result: JsonObject, other?: OtherStructure) => JsonObject
  /** Our name of a task that this principal's call made; undefined: it is none, or older than what is remembered. */
  readonly taskName: (of: Speaker, id: string) => string | undefined
  /** The client that knows a task by this name sees the same name from now on. */
  readonly remember: (of: Speaker, id: string, name: string) => void
  /** For the client; null: it is about somebody else's task. */
  readonly toClient: (of: Speaker, notice: Notice) => Notice | null
  /** For the server; null: it did not ask for that, or may not ask any more. */
  readonly toServer: (of: Speaker, notice: Notice) => Promise<Notice | null>
  /** Asks a client, with names that it can tell apart. */
  readonly asking: (of: Speaker, inquire: (ask: Ask) => Promise<Reply>) => (ask: Ask) => Promise<Reply>
}

export const relatedTask = "io.modelcontextprotocol/related-task"
/** Of each kind; the oldest is forgotten then. */
const mostKept = 10_000
/** Of all names of a kind: a server chooses how long they are. */
const mostCharacters = 8 * 1024 * 1024

export function createExchangedNames(context: Pick<HoldContext, "sealer" | "gate">, server: string): ExchangedNames {
  const tasks = createKept<string>()
  const tokens = createKept<Token>()
  /** The kinds of the questions that clients made tasks of. */
  const clientTasks = createKept<QuestionKind>()
  const taskName = (of: Speaker, id: string): string | undefined => tasks.get(keyOf(of, id))
  const related = (
    params: JsonObject | undefined,
    change: (id: string) => string | undefined,
  ): JsonObject | undefined => {
    const meta = objectAt(params, "_meta")
    const named = objectAt(meta, relatedTask)
    const name = change(textAt(named, "taskId") ?? "")
    if (name === undefined) return params
    return { ...params, _meta: { ...meta, [relatedTask]: { ...named, taskId: name } } }
  }
  const theirTask = ({ caller }: Speaker, name: string): string | undefined => {
    const opened = openTask(context, name, caller.principal.id)
    return opened?.server === server ? opened.id : undefined
  }
  const forClient = (of: Speaker, { method, params }: Ask): Ask =>
    asked(
      method,
      related(params, (id) => taskName(of, id)),
    )
  const clientTaskKey = ({ caller }: Speaker, id: JsonValue | undefined): string =>
    JSON.stringify([caller.conversation, id])
  const kindOf = (of: Speaker, id: JsonValue | undefined): QuestionKind | undefined =>
    clientTasks.get(clientTaskKey(of, id))
  const isAllowed = async ({ caller }: Speaker, kind: QuestionKind | undefined): Promise<boolean> =>
    kind !== undefined && (await mayAsk(context, { server, who: caller }, kind))
  const allowed = async (of: Speaker): Promise<ReadonlySet<QuestionKind | undefined>> => {
    const kinds = [...questionKinds.values()]
    const judged = await Promise.all(kinds.map((kind) => isAllowed(of, kind)))
    return new Set(kinds.filter((_, at) => judged[at]))
  }
  const onlyTheirs = async (of: Speaker, reply: Reply): Promise<Reply> => {
    if (reply.kind === "error") return reply
    const kinds = await allowed(of)
    const listed = listAt(reply.result, "tasks") ?? []
    const tasks = listed.filter((task) => kinds.has(kindOf(of, memberAt(asObject(task), "taskId"))))
    return { kind: "result", result: { ...reply.result, tasks } }
  }
  /** A client that makes a task of what it was asked tells of it, and of its progress, until that is over. */
  const answered = (of: Speaker, kind: QuestionKind | undefined, reply: Reply, token: string | undefined): void => {
    const task = reply.kind === "result" ? textAt(objectAt(reply.result, "task"), "taskId") : undefined
    if (task !== undefined && kind !== undefined) clientTasks.set(clientTaskKey(of, task), kind)
    else if (token !== undefined) tokens.delete(token)
  }
  const withOwnToken = async (
    of: Speaker,
    kind: QuestionKind | undefined,
    { method, params }: Ask,
    inquire: (ask: Ask) => Promise<Reply>,
  ): Promise<Reply> => {
    const meta = objectAt(params, "_meta")
    const token = memberAt(meta, "progressToken")
    const own = token === undefined ? undefined : randomUUID()
    if (own !== undefined && token !== undefined) tokens.set(own, { conversation: of.caller.conversation, token, kind })
    const reply = await inquire(
      asked(method, own === undefined ? params : { ...params, _meta: { ...meta, progressToken: own } }),
    )
    // The reply to a question about a task is not a new task of that question.
    if (questionKinds.has(method)) answered(of, kind, reply, own)
    else if (own !== undefined) tokens.delete(own)
    return reply
  }
  /** A question is judged before it comes here; what is asked about a task is judged as the question that the task was made of. */
  const replyTo = async (of: Speaker, ask: Ask, inquire: (ask: Ask) => Promise<Reply>): Promise<Reply> => {
    const question = questionKinds.get(ask.method)
    if (question !== undefined) return withOwnToken(of, question, ask, inquire)
    if (ask.method === "tasks/list") {
      if ((await allowed(of)).size === 0) return taskNotFound
      return onlyTheirs(of, await withOwnToken(of, undefined, ask, inquire))
    }
    const kind = kindOf(of, memberAt(ask.params, "taskId"))
    if (!(await isAllowed(of, kind))) return taskNotFound
    const reply = await withOwnToken(of, kind, ask, inquire)
    return (await isAllowed(of, kind)) ? reply : taskNotFound
  }
  return {
    taskName,
    remember: (of, id, name) => tasks.set(keyOf(of, id), name),
    newTask: (of, tool, result, other) => {
      const task = objectAt(result, "task")
      const id = textAt(task, "taskId")
      if (task === undefined || id === undefined) return result
      const { principal } = of.caller
      const sealed = sealTask(context, { server, principal: principal.id, tool, at: of.at ?? undefined, other }, task)
      tasks.set(keyOf(of, id), String(sealed.taskId))
      return { ...result, task: sealed }
    },
    toClient: (of, notice) => {
      const { method, params } = forClient(of, notice)
      if (method !== "notifications/tasks/status") return asked(method, params)
      const name = taskName(of, textAt(params, "taskId") ?? "")
      return name === undefined ? null : { method, params: { ...params, taskId: name } }
    },
    toServer: async (of, { method, params }) => {
      if (method === "notifications/progress") {
        const known = tokens.get(textAt(params, "progressToken") ?? "")
        if (known?.conversation !== of.caller.conversation || !(await isAllowed(of, known.kind))) return null
        return { method, params: { ...params, progressToken: known.token } }
      }
      if (method !== "notifications/tasks/status") return asked(method, params)
      return (await isAllowed(of, kindOf(of, memberAt(params, "taskId")))) ? asked(method, params) : null
    },
    asking: (of, inquire) => async (ask) => {
      const named = forClient(of, ask)
      const replied = await replyTo(of, named, inquire)
      if (replied.kind === "error") return replied
      const result = related(replied.result, (name) => theirTask(of, name)) ?? {}
      return result === replied.result ? replied : { kind: "result", result }
    },
  }
}

type Token = {
  readonly conversation: string
  readonly token: JsonValue
  readonly kind: QuestionKind | undefined
}

function asked(method: string, params: JsonObject | undefined): Ask {
  return params === undefined ? { method } : { method, params }
}

function keyOf({ caller, at }: Speaker, id: string): string {
  return JSON.stringify([caller.principal.id, at, id])
}

type Kept<T> = {
  readonly get: (key: string) => T | undefined
  readonly set: (key: string, value: T) => void
  readonly delete: (key: string) => void
}

function createKept<T>(): Kept<T> {
  const kept = new Map<string, T>()
  let characters = 0
  const sizeOf = (key: string): number => {
    const value = kept.get(key)
    if (value === undefined) return 0
    return key.length + (typeof value === "string" ? value.length : JSON.stringify(value).length)
  }
  const remove = (key: string): void => {
    characters -= sizeOf(key)
    kept.delete(key)
  }
  return {
    get: (key) => kept.get(key),
    set: (key, value) => {
      remove(key)
      kept.set(key, value)
      characters += sizeOf(key)
      for (const oldest of kept.keys()) {
        if (kept.size <= mostKept && characters <= mostCharacters) break
        remove(oldest)
      }
    },
    delete: remove,
  }
}
