/**
 * All servers behind one path. Every request ends at one server's own backend, so policy always judges the real server and tool.
 *
 * I1. A server hears of no resource that is another's, and tells of none.
 * I2. Looking for the server of a request tells no server what the request says.
 */
import { type JsonObject, objectAt, type ToolRef, textAt } from "@byleave/core"
import { taskNotFound } from "../../hold/tasks.ts"
import type { Caller } from "../../wire/caller.ts"
import { errorCode, errorReply } from "../../wire/errors.ts"
import {
  AttendanceRefused,
  type Backend,
  changedExchange,
  type Exchange,
  type ServerHello,
} from "../../wire/exchange.ts"
import type { Reply } from "../../wire/message.ts"
import { isProtocolMethod, methodRow } from "../../wire/methods/methods.ts"
import { unknownName } from "../../wire/outcome-reply.ts"
import { newestLegacy } from "../../wire/versions.ts"
import type { Backends } from "../backends.ts"
import { resultFor } from "../era.ts"
import type { ServerBackend } from "../server-backend.ts"
import { askBeyond } from "../talk/beyond-mcp.ts"
import { openTask } from "../tasks/server-tasks.ts"
import {
  type AggregateNames,
  createAggregateNames,
  type ListedNames,
  ledTo,
  listEverywhere,
  promptNames,
  renamed,
} from "./aggregate-names.ts"
import { dividedByOwner } from "./divided-by-owner.ts"
import { findOwners, type OwnerSearch } from "./find-owners.ts"
import { inTime } from "./in-time.ts"
import { createResourceOwners, type ResourceOwners } from "./resource-owners.ts"

const members = new Map([
  ["tools/list", "tools"],
  ["prompts/list", "prompts"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resourceTemplates"],
])

/** How long all of them wait for one, for a list and when a conversation begins: a server that is busy or being started is left out of what they say together. */
type AggregatePatience = { readonly listMs: number; readonly helloMs: number }

const defaultPatience: AggregatePatience = { listMs: 5_000, helloMs: 10_000 }

type Aggregate = Backends & {
  readonly names: AggregateNames
  readonly owners: ResourceOwners
  readonly patience: AggregatePatience
}

export function createAggregateBackend(servers: Backends, patience = defaultPatience): Backend {
  const backends: Aggregate = { ...servers, names: createAggregateNames(), owners: createResourceOwners(), patience }
  return {
    hello: async (caller) =>
      unite(
        await eachThatWorks(
          backends,
          async (backend) => ({ backend, hello: await backend.hello(caller) }),
          patience.helloMs,
        ),
        caller,
      ),
    handle: (exchange) => answer(backends, exchange),
    note: (caller, notice) => {
      const wrong = backends.all().map((backend) => backend.note(caller, notice))
      return wrong.find((error) => error !== null) ?? null
    },
    attend: async (caller, listener) => {
      const refusals: AttendanceRefused[] = []
      const stops: Array<() => void> = []
      let isOver = false
      const listenerOf = await dividedByOwner(searchIn(backends), caller, listener)
      const attendTo = async (backend: ServerBackend): Promise<void> => {
        const stopOne = await backend.attend(caller, listenerOf(backend)).catch((error: unknown) => {
          if (error instanceof AttendanceRefused) refusals.push(error)
          throw error
        })
        if (isOver) stopOne()
        else stops.push(stopOne)
      }
      await eachThatWorks(backends, attendTo, patience.helloMs)
      const stop = (): void => {
        isOver = true
        for (const one of stops.splice(0)) one()
      }
      if (refusals[0] === undefined) return stop
      stop()
      throw refusals[0]
    },
    leave: async (caller, why) =>
      void (await eachThatWorks(backends, (backend) => backend.leave(caller, why), patience.helloMs)),
  }
}

/** A server that fails, or takes too long, is missing from what all say together; the others are not. */
async function eachThatWorks<T>(
  backends: Backends,
  work: (backend: ServerBackend) => Promise<T>,
  withinMs: number,
): Promise<readonly T[]> {
  const settled = await Promise.all(
    backends.all().map(async (backend) => {
      try {
        const done = await inTime(
          work(backend).then((value) => ({ value })),
          withinMs,
        )
        if (done !== null) return [done.value]
        backends.context.log(`${backend.relay.server.id} is left out: it takes long to answer.`)
        return []
      } catch (error) {
        backends.context.log(`${backend.relay.server.id} is left out: ${String(error)}`)
        return []
      }
    }),
  )
  return settled.flat()
}

type Said = { readonly backend: ServerBackend; readonly hello: ServerHello }

const serverInfo = { name: "byleave", title: "Byleave", version: "0.1.0" }

function unite(all: readonly Said[], caller: Caller): ServerHello {
  const instructions = all.flatMap(({ backend, hello }) =>
    hello.instructions === undefined ? [] : [`# ${backend.relay.server.id}\n\n${hello.instructions}`],
  )
  return {
    capabilities: all.reduce<JsonObject>((united, { hello }) => uniteTwo(united, hello.capabilities), {}),
    serverInfo,
    ...(instructions.length === 0 ? {} : { instructions: instructions.join("\n\n") }),
    version: caller.era === "legacy" ? caller.version : newestLegacy,
    more: {},
  }
}

/** The union of two servers' capabilities; `true` wins. */
function uniteTwo(one: JsonObject, other: JsonObject): JsonObject {
  const united = new Map<string, JsonObject[string]>(Object.entries(one))
  for (const [key, value] of Object.entries(other)) {
    const before = objectAt(one, key)
    const inner = objectAt(other, key)
    if (!united.has(key)) united.set(key, value)
    else if (before !== undefined && inner !== undefined) united.set(key, uniteTwo(before, inner))
    else if (value === true) united.set(key, value)
  }
  return Object.fromEntries(united)
}

async function answer(backends: Aggregate, exchange: Exchange): Promise<Reply> {
  const { method, params } = exchange.ask
  if (members.has(method)) return list(backends, exchange)
  if (method === "ping") return { kind: "result", result: resultFor(exchange.caller.era, method, {}) }
  switch (method) {
    case "tools/call":
      return callTool(backends, exchange)
    case "prompts/get":
      return getPrompt(backends, exchange)
    case "resources/read":
    case "resources/subscribe":
    case "resources/unsubscribe":
      return byUri(backends, exchange, textAt(params, "uri"))
    case "completion/complete":
      return complete(backends, exchange)
    case "logging/setLevel":
      return everywhere(backends, exchange)
    default:
      return isAboutTask(method) ? byTask(backends, exchange) : askBeyond(backends, exchange)
  }
}

/** Other methods may be called so, too: they are the policy's to name. */
function isAboutTask(method: string): boolean {
  return method.startsWith("tasks/") && isProtocolMethod(method)
}

const unknownMethod = errorReply(errorCode.methodNotFound, "Method not found")

async function list(backends: Aggregate, exchange: Exchange): Promise<Reply> {
  const { method } = exchange.ask
  const member = members.get(method) ?? ""
  const listed = await listEverywhere(backends.all(), exchange, method, member, backends.patience.listMs)
  const entries = await shown(backends, exchange.caller, method, listed)
  return { kind: "result", result: resultFor(exchange.caller.era, method, { [member]: entries }) }
}

async function shown(
  backends: Aggregate,
  caller: Caller,
  method: string,
  listed: readonly ListedNames[],
): Promise<readonly JsonObject[]> {
  if (method === "tools/list") return renamed(listed, await backends.names.known(backends.all(), caller))
  if (method === "prompts/list") return renamed(listed, promptNames(listed, idsOf(backends)))
  return uniqueResources(listed, (uri, server) => backends.owners.tell(caller.principal.id, uri, server))
}

function idsOf(backends: Backends): readonly string[] {
  return backends.all().map(({ relay }) => relay.server.id)
}

/** A URI that several servers list is the first one's. */
function uniqueResources(
  listed: readonly ListedNames[],
  tell: (uri: string, server: string) => void,
): readonly JsonObject[] {
  const seen = new Set<string>()
  return listed.flatMap(({ server, entry }) => {
    const uri = textAt(entry, "uri") ?? textAt(entry, "uriTemplate") ?? ""
    if (seen.has(uri)) return []
    seen.add(uri)
    tell(uri, server)
    return [entry]
  })
}

async function callTool(backends: Aggregate, exchange: Exchange): Promise<Reply> {
  const { caller } = exchange
  const name = nameIn(exchange)
  const ref = await backends.names.find(backends.all(), caller, name)
  const backend = ref === undefined ? undefined : backends.get(ref.server)
  const unknown = unknownName({ call: { tool: { server: "", tool: name } }, era: caller.era })
  if (ref === undefined || backend === undefined) return unknown
  const reply = await backend.handle(asking(exchange, ref.tool))
  // A hidden tool is refused under the name it was called by, as an unknown one is.
  const isHidden = await backends.context.visibility.isHidden(
    { server: ref.server, kind: "tool", name: ref.tool },
    caller,
  )
  return isHidden ? unknown : reply
}

async function getPrompt(backends: Aggregate, exchange: Exchange): Promise<Reply> {
  const name = nameIn(exchange)
  const ref = await findPrompt(backends, exchange, name)
  const backend = ref === undefined ? undefined : backends.get(ref.server)
  if (ref !== undefined && backend !== undefined) return backend.handle(asking(exchange, ref.tool))
  return unknownName({ call: { kind: "prompt", tool: { server: "", tool: name } }, era: exchange.caller.era })
}

function asking(exchange: Exchange, name: string): Exchange {
  return changedExchange(exchange, { ask: { ...exchange.ask, params: { ...exchange.ask.params, name } } })
}

/** Apart from functions that wait: those would keep the params in memory. */
function nameIn({ ask }: Exchange): string {
  return textAt(ask.params, "name") ?? ""
}

/** Only servers whose prompt it could be are asked for theirs. */
async function findPrompt(backends: Aggregate, exchange: Exchange, name: string): Promise<ToolRef | undefined> {
  for (const backend of ledTo(backends.all(), name)) {
    const server = backend.relay.server.id
    const plain = { ...exchange, ask: { method: "prompts/list", params: {} } }
    const listed = await listEverywhere([backend], plain, "prompts/list", "prompts", backends.patience.listMs)
    const tool = promptNames(listed, idsOf(backends))(server)?.toolOf(name)
    if (tool !== undefined) return { server, tool }
  }
  return undefined
}

function searchIn({ patience, ...backends }: Aggregate): OwnerSearch {
  return { ...backends, withinMs: patience.listMs }
}

async function byUri(backends: Aggregate, exchange: Exchange, uri = ""): Promise<Reply> {
  const backend = (await findOwners(searchIn(backends), exchange, [uri])).get(uri)
  if (backend !== undefined) return backend.handle(exchange)
  return unknownName({ call: { kind: "resource", tool: { server: "", tool: uri } }, era: exchange.caller.era })
}

async function complete(backends: Aggregate, exchange: Exchange): Promise<Reply> {
  const { params } = exchange.ask
  const ref = objectAt(params, "ref")
  if (ref?.type !== "ref/prompt") return byUri(backends, exchange, textAt(ref, "uri"))
  const found = await findPrompt(backends, exchange, textAt(ref, "name") ?? "")
  const backend = found === undefined ? undefined : backends.get(found.server)
  if (found === undefined || backend === undefined)
    return errorReply(errorCode.invalidParams, "There is no such prompt.")
  const real = { ...params, ref: { ...ref, name: found.tool } }
  return backend.handle(changedExchange(exchange, { ask: { ...exchange.ask, params: real } }))
}

/** All that can log are told; it counts when one of them could be. */
async function everywhere(backends: Aggregate, exchange: Exchange): Promise<Reply> {
  const replies = await eachThatWorks(backends, (backend) => backend.handle(exchange), backends.patience.helloMs)
  return replies.find((reply) => reply.kind === "result") ?? replies[0] ?? unknownMethod
}

async function listTasks(backends: Aggregate, exchange: Exchange): Promise<Reply> {
  const { caller, ask } = exchange
  const listed = await listEverywhere(backends.all(), exchange, ask.method, "tasks", backends.patience.listMs)
  return { kind: "result", result: resultFor(caller.era, ask.method, { tasks: listed.map(({ entry }) => entry) }) }
}

async function byTask(backends: Aggregate, exchange: Exchange): Promise<Reply> {
  const { caller, ask } = exchange
  const isListed = methodRow("client", "request", "tasks/list", caller.version) !== undefined
  if (ask.method === "tasks/list") return isListed ? listTasks(backends, exchange) : unknownMethod
  const id = textAt(ask.params, "taskId") ?? ""
  const theirs = openTask(backends.context, id, caller.principal.id)
  const server = theirs?.server ?? (await backends.context.tasks.get(id))?.server
  const backend = server === undefined ? backends.all()[0] : backends.get(server)
  // Any of them says as much of a task that does not exist.
  return backend === undefined ? taskNotFound : backend.handle(exchange)
}
