/**
 * One server behind the gate: each request goes to whoever has a word in it, and then to the server over the caller's connection.
 *
 * I1. A server that a rule closes as a whole lets nothing through, not even what policy has no word for.
 * I2. What policy hides, denies or asks about is not listened to.
 * I3. What a client says of itself reaches no connection that it shares.
 */
import type { JsonObject } from "@byleave/core"
import type { GatewayServer } from "../gateway.ts"
import type { Upstream } from "../upstream/link.ts"
import type { Caller } from "../wire/caller.ts"
import type { Attendance, Backend, Exchange, Hello } from "../wire/exchange.ts"
import { objectAt, textAt } from "../wire/members.ts"
import type { Reply } from "../wire/message.ts"
import { answerTasks } from "./answer-tasks.ts"
import { askOther, namedBy } from "./ask-other.ts"
import { callTool } from "./call-tool.ts"
import { resultFor, tasksExtension } from "./era.ts"
import { helloFrom, serverInfoOf } from "./hello.ts"
import { askJudged } from "./inquiries.ts"
import { isListing, listNames } from "./list-names.ts"
import { isLogLevel } from "./log-levels.ts"
import { createPlaces } from "./places.ts"
import type { RelayContext } from "./relay-context.ts"
import { destination, orUnreachable, passOn, type ServerRelay } from "./server-relay.ts"
import { createServerTools } from "./server-tools.ts"

export type ServerBackend = Backend & {
  readonly relay: ServerRelay
  /** Everyone who listens hears that what it may list has changed. */
  readonly listsChanged: () => void
  readonly close: () => Promise<void>
}

export function createServerBackend(
  context: RelayContext,
  server: GatewayServer,
  upstream: Upstream,
  isStopped: () => boolean,
): ServerBackend {
  const tools = createServerTools(server.id, context.gate)
  const places = createPlaces({
    upstream,
    serverTools: tools,
    refresh: server.refreshConnection === true,
    times: context.times,
    now: context.now,
    log: context.log,
    mayHear: async (caller, uri, named) => {
      const target = { server: server.id, kind: "resource", name: uri } as const
      const { effect } = await context.gate.judge(target, { uri }, caller)
      // Whoever was asked about said yes to the subscription itself.
      return effect === "allow" || (effect === "ask" && named)
    },
    judged: async (caller, ask, attendants) => {
      if (caller === null) return methodNotFound
      return askJudged(context, { server: server.id, who: caller, inquire: attendants.inquire }, ask)
    },
  })
  const relay: ServerRelay = { context, server, upstream, places, tools, isStopped }
  return {
    relay,
    hello: (caller) => hello(relay, caller),
    handle: async (exchange) => {
      const reply = await answer(relay, exchange)
      if (reply.kind === "error") return reply
      const { caller, ask } = exchange
      const serverInfo = caller.era === "legacy" ? undefined : await serverInfoFor(relay, caller)
      const result = resultFor(caller.era, ask.method, reply.result, serverInfo)
      return result === reply.result ? reply : { kind: "result", result }
    },
    note: async (caller, notice) => {
      const { place } = destination(relay, caller)
      // What a client says of itself concerns nobody who shares a connection with it.
      if (place.owner === null || notice.method === "notifications/initialized") return
      const link = await place.link()
      if (link.era === "legacy") await link.notify(notice)
    },
    attend: async (caller, attendance) =>
      destination(relay, caller).place.attend(caller, await withoutRefused(relay, caller, attendance)),
    leave: async (caller) => places.leave(caller),
    listsChanged: () => {
      for (const { attendants } of places.all()) {
        for (const list of ["tools", "prompts", "resources"]) {
          attendants.hear({ method: `notifications/${list}/list_changed` })
        }
      }
    },
    close: async () => {
      places.close()
      await upstream.close()
    },
  }
}

const methodNotFound: Reply = { kind: "error", error: { code: -32601, message: "Method not found" } }
const stoppedReply = (server: string): Reply => {
  const message = `A person has stopped the server ${server}. Do not retry: it answers nothing until it is started again.`
  return { kind: "error", error: { code: -32603, message } }
}
const done: Reply = { kind: "result", result: {} }

function answer(relay: ServerRelay, exchange: Exchange): Promise<Reply> {
  // Before the gate: nobody is asked about a call that cannot run.
  if (relay.isStopped()) return Promise.resolve(stoppedReply(relay.server.id))
  return exchange.ask.method === "tools/call" ? callTool(relay, exchange) : answerOther(relay, exchange)
}

async function answerOther(relay: ServerRelay, exchange: Exchange): Promise<Reply> {
  const { method, params } = exchange.ask
  if (isListing(method)) return listNames(relay, exchange)
  if (method === "ping") return done
  if (method === "initialize" || method === "server/discover" || method === "subscriptions/listen")
    return methodNotFound
  if (method === "logging/setLevel") return orUnreachable(relay, () => setLevel(relay, exchange))
  if (method.startsWith("tasks/")) return answerTasks(relay, exchange)
  const about = namedBy(method, params)
  if (about === null) return (await isClosed(relay, exchange.caller)) ? methodNotFound : passOn(relay, exchange)
  if (method === "resources/subscribe" || method === "resources/unsubscribe") {
    return orUnreachable(relay, () => subscribe(relay, exchange, about))
  }
  return askOther(relay, exchange, about)
}

/** Whether a rule closes the server as a whole: then what policy has no word for does not pass either. */
async function isClosed(relay: ServerRelay, caller: Caller): Promise<boolean> {
  for (const kind of ["tool", "resource", "prompt", "sampling", "elicitation", "roots"] as const) {
    const effect = await relay.context.visibility.effect({ server: relay.server.id, kind, name: "" }, caller)
    if (effect !== "hide" && effect !== "deny") return false
  }
  return true
}

/** Listening to a resource is asking for it: what policy hides, denies or asks about is not listened to. */
async function withoutRefused(relay: ServerRelay, caller: Caller, attendance: Attendance): Promise<Attendance> {
  const { wants } = attendance
  if (wants === undefined || wants.resources.size === 0) return attendance
  const resources = new Set<string>()
  for (const uri of wants.resources) {
    const target = { server: relay.server.id, kind: "resource", name: uri } as const
    if ((await relay.context.gate.judge(target, { uri }, caller)).effect === "allow") resources.add(uri)
  }
  return { ...attendance, wants: { ...wants, resources } }
}

async function serverInfoFor(relay: ServerRelay, caller: Caller): Promise<JsonObject | undefined> {
  try {
    return serverInfoOf(await destination(relay, caller).place.link())
  } catch {
    return undefined
  }
}

async function hello(relay: ServerRelay, caller: Caller): Promise<Hello> {
  const { place } = destination(relay, caller)
  const link = await place.link()
  return helloFrom(link, caller, caller.era === "modern" && (await canTask(relay, caller, link.hello)))
}

/** Whether a call may become a task: the server makes some, or policy asks about a tool of this caller's. */
async function canTask(relay: ServerRelay, caller: Caller, said: JsonObject): Promise<boolean> {
  const extensions = objectAt(objectAt(said, "capabilities"), "extensions")
  if (extensions !== undefined && Object.hasOwn(extensions, tasksExtension)) return true
  const tools = await destination(relay, caller).place.tools.tools()
  for (const name of tools.keys()) {
    const effect = await relay.context.visibility.effect({ server: relay.server.id, kind: "tool", name }, caller)
    if (effect === "ask") return true
  }
  return false
}

async function setLevel(relay: ServerRelay, exchange: Exchange): Promise<Reply> {
  const { caller, ask } = exchange
  const level = textAt(ask.params, "level")
  if (!isLogLevel(level)) return { kind: "error", error: { code: -32602, message: "There is no such log level." } }
  const { place } = destination(relay, caller)
  const link = await place.link()
  if (objectAt(objectAt(link.hello, "capabilities"), "logging") === undefined) return methodNotFound
  place.levels.set(caller.conversation, level)
  await place.sync()
  return done
}

/** A legacy server is asked first, and told no more; a modern one hears it with what all want to listen to. */
async function subscribe(
  relay: ServerRelay,
  exchange: Exchange,
  about: NonNullable<ReturnType<typeof namedBy>>,
): Promise<Reply> {
  const { caller, ask } = exchange
  const { place } = destination(relay, caller)
  const link = await place.link()
  if (ask.method === "resources/unsubscribe") {
    place.attendants.unsubscribe(about.name, caller.conversation)
    await place.sync()
    return done
  }
  const send = link.era === "modern" ? async () => done : undefined
  const reply = await askOther(relay, exchange, about, send)
  if (reply.kind === "result") {
    place.attendants.subscribe(about.name, caller.conversation)
    await place.sync()
  }
  return reply
}
