/**
 * One server behind the gate: each request goes to whoever has a word in it, and then to the server over the caller's connection.
 *
 * I1. A server that a rule or a quarantine closes as a whole lets nothing through, not even what policy has no word for.
 * I2. What policy hides, denies or asks about is not heard of.
 * I3. What a client says of itself reaches no connection that it shares.
 * I4. What a server that is closed as a whole says or asks outside any request reaches no agent, and no agent's answer reaches it; of one that is hidden as a
 *     whole, not even its name for itself reaches anyone.
 */
import { type JsonObject, longestName, objectAt, textAt } from "@byleave/core"
import type { GatewayServer } from "../gateway.ts"
import type { Upstream } from "../upstream/link.ts"
import type { Caller } from "../wire/caller.ts"
import { errorCode, errorReply, rpcError } from "../wire/errors.ts"
import { type Backend, changedExchange, type Exchange, type ServerHello } from "../wire/exchange.ts"
import type { Ask, Notice, Reply, RpcError } from "../wire/message.ts"
import { methodRow } from "../wire/methods/methods.ts"
import { buildParams } from "../wire/methods/params.ts"
import { toldNotice } from "../wire/methods/told-notice.ts"
import { resultFor, tasksExtension } from "./era.ts"
import { attend, subscribe, unsubscribe } from "./listening/listen-to.ts"
import { createListeningLimit } from "./listening/listening-limit.ts"
import type { NoticeListeners } from "./listening/notice-listeners.ts"
import type { RelayContext } from "./relay-context.ts"
import {
  hasAnswers,
  methodNotFound,
  type Routed,
  speakerOf,
  type Understood,
  understand,
  withAnswersTaken,
} from "./route.ts"
import type { ServerConnection } from "./server-connection.ts"
import { createServerConnections } from "./server-connections.ts"
import { noAnswer, orUnreachable, type ServerRelay } from "./server-relay.ts"
import { withCursors } from "./several/cursors.ts"
import { createExchangedNames } from "./several/exchanged-names.ts"
import { listNames } from "./several/list-names.ts"
import { withAllowedAbilities } from "./talk/allowed-abilities.ts"
import { askExtension, askOther, completeResource, namedBy } from "./talk/ask-other.ts"
import { closingOf, helloInstead, isClosed } from "./talk/closing.ts"
import { completingIn } from "./talk/complete-resource.ts"
import { helloFrom } from "./talk/hello.ts"
import { askJudged } from "./talk/inquiries.ts"
import { isLogLevel } from "./talk/log-levels.ts"
import { answerTasks } from "./tasks/answer-tasks.ts"
import { createHandedTasks } from "./tasks/handed-tasks.ts"
import { callTool } from "./tools/call-tool.ts"
import { defaultToolListLimits } from "./tools/read-tools.ts"
import { createServerTools } from "./tools/server-tools.ts"
import { withKnownAnswers } from "./tools/unasked-answers.ts"
import { createUnderWay } from "./under-way.ts"

export type ServerBackend = Backend & {
  readonly relay: ServerRelay
  /** Everyone who listens hears that what it may list has changed. */
  readonly listsChanged: () => void
  /** Listeners hear of it if it changes the tools they may be told of. */
  readonly definitionsChanged: () => void
  readonly close: () => Promise<void>
}

export function createServerBackend(
  context: RelayContext,
  server: GatewayServer,
  upstream: Upstream,
  isStopped: () => boolean,
): ServerBackend {
  const tools = createServerTools(server.id, context.gate)
  const names = createExchangedNames(context, server.id)
  const atOf = (owner: string | null): string | null => (server.transport.kind === "stdio" ? owner : null)
  const outside = (caller: Caller, { inquire }: NoticeListeners): ((ask: Ask) => Promise<Reply>) =>
    names.asking({ caller, at: atOf(caller.conversation) }, inquire)
  const connections = createServerConnections({
    upstream,
    serverTools: tools,
    limits: { ...defaultToolListLimits, ...server.toolList },
    refresh: server.refreshConnection === true,
    isProcess: server.transport.kind === "stdio",
    times: context.times,
    now: context.now,
    log: context.log,
    mayHear: async (caller, uri, named) => {
      if (uri.length > longestName) return false
      const target = { server: server.id, kind: "resource", name: uri } as const
      const { effect } = await context.gate.judge(target, { uri }, caller)
      // The subscription to the named resource itself was approved.
      return effect === "allow" || (effect === "ask" && named)
    },
    named: (caller, owner, notice) => {
      const known = toldNotice(notice, caller.version)
      return known === null ? null : names.toClient({ caller, at: atOf(owner) }, known)
    },
    judged: async (caller, ask, listeners) => {
      if (caller === null) return methodNotFound
      return askJudged(context, { server: server.id, who: caller, inquire: outside(caller, listeners) }, ask)
    },
    standing: (caller, listeners) => ({ isThere: listeners.isAskable, inquire: outside(caller, listeners) }),
  })
  const listening = createListeningLimit(connections.all)
  const where = { context, server }
  const relay: ServerRelay = {
    ...where,
    upstream,
    connections,
    tools,
    names,
    listening,
    underWay: createUnderWay(where),
    handedTasks: createHandedTasks(where),
    isStopped,
  }
  const seenAs = (caller: Caller): Caller | Promise<Caller> =>
    withAllowedAbilities(context.visibility, server.id, caller)
  return {
    relay,
    hello: async (caller) => hello(relay, await seenAs(caller)),
    handle: async (exchange) => {
      // Before the gate: nobody is asked about a call that cannot run.
      if (isStopped()) return stoppedReply(server.id)
      const known = seenAs(exchange.caller)
      const understood = enter(relay, exchange, known instanceof Promise ? await known : known)
      if (!understood.ok) return understood.reply
      const { routed } = understood
      const reply = await answer(routed)
      if (reply.kind === "error") return reply
      const result = resultFor(routed.caller.era, exchange.ask.method, reply.result, routed.connection.serverInfo())
      return result === reply.result ? reply : { kind: "result", result }
    },
    note: (caller, notice) => tellServer(relay, caller, notice),
    attend: async (caller, listener) => attend(relay, caller, listener, await seenAs(caller)),
    leave: async (caller, why) => connections.leave(caller, why),
    listsChanged: () => {
      for (const { listeners, recheck } of connections.all()) {
        recheck().catch((error: unknown) => context.log(`${server.id}: ${String(error)}`))
        for (const list of ["tools", "prompts", "resources"]) {
          listeners.hear({ method: `notifications/${list}/list_changed` })
        }
      }
    },
    definitionsChanged: () => {
      tools.definitionsChanged()
      relay.underWay.changed()
      relay.handedTasks.changed()
      for (const { listChanges, recheck } of connections.all()) {
        recheck().catch((error: unknown) => context.log(`${server.id}: ${String(error)}`))
        listChanges.decided()
      }
    },
    close: async () => {
      connections.close()
      await upstream.close()
    },
  }
}

/** A caller that can have no further connection is told so, as it is of a server that does not answer. */
function enter(relay: ServerRelay, exchange: Exchange, caller: Caller): Understood {
  try {
    return understand(relay, caller === exchange.caller ? exchange : changedExchange(exchange, { caller }))
  } catch (error) {
    return { ok: false, reply: noAnswer(relay, error) }
  }
}

const stoppedReply = (server: string): Reply => {
  const message = `A reviewer stopped the server ${server}. Do not retry: it does not respond until it is started again.`
  return { kind: "error", error: { code: -32603, message } }
}
const done: Reply = { kind: "result", result: {} }

function answer(routed: Routed): Promise<Reply> {
  const { row, relay } = routed
  switch (row?.handling) {
    case "judged":
      if (!hasAnswers(routed)) return answerJudged(routed)
      return orUnreachable(relay, async () => {
        const known = await withKnownAnswers(await withAnswersTaken(routed))
        return known.ok ? answerJudged(known.routed) : known.reply
      })
    case "listed":
      return listNames(routed)
    case "relayed":
      return answerRelayed(routed)
    case "here":
      return answerHere(routed)
    case "dropped":
      return Promise.resolve(methodNotFound)
    case undefined:
      return askExtension(routed)
  }
}

async function answerRelayed(routed: Routed): Promise<Reply> {
  if (await isClosed(routed.relay, routed.caller)) return methodNotFound
  const known = await withKnownAnswers(routed)
  return known.ok ? withCursors(known.routed, answerTasks) : known.reply
}

function answerJudged(routed: Routed): Promise<Reply> {
  const { method, params = {} } = routed.exchange.ask
  if (method === "tools/call") return callTool(routed)
  const named = namedBy(method, params)
  if (named === undefined) return Promise.resolve(badReference)
  if (method === "resources/subscribe") return orUnreachable(routed.relay, () => subscribe(routed, named))
  const completing = method === "completion/complete" ? completingIn(params) : undefined
  if (completing === undefined) return askOther(routed, named)
  return orUnreachable(routed.relay, () => completeResource(routed, named, completing))
}

const badReference: Reply = errorReply(
  errorCode.invalidParams,
  'A ref is { "type": "ref/prompt", "name": … } or { "type": "ref/resource", "uri": … }.',
)

async function answerHere(routed: Routed): Promise<Reply> {
  switch (routed.exchange.ask.method) {
    case "ping":
      return done
    case "logging/setLevel":
      return orUnreachable(routed.relay, () => setLevel(routed))
    case "resources/unsubscribe":
      return orUnreachable(routed.relay, () => unsubscribe(routed))
    default:
      return methodNotFound
  }
}

async function hello(relay: ServerRelay, caller: Caller): Promise<ServerHello> {
  const closing = await closingOf(relay, caller)
  if (closing === "hidden") return helloInstead(relay, caller)
  const connection = relay.connections.of(caller)
  const link = await connection.link()
  const said = helloFrom(
    link,
    caller,
    caller.era === "modern" && (await canTask(relay, caller, connection, link.hello)),
  )
  return withAcceptedInstructions(relay, closing === "open" ? said : { ...said, more: {} })
}

/** Without the gate's word there are none: nobody is told what nobody has accepted. */
async function withAcceptedInstructions({ context, server }: ServerRelay, said: ServerHello): Promise<ServerHello> {
  const { instructions, ...rest } = said
  try {
    const told = await context.gate.seeInstructions(server.id, instructions)
    return told === undefined ? rest : { ...rest, instructions: told }
  } catch (error) {
    context.log(`${server.id}: its instructions are kept back: ${String(error)}`)
    return rest
  }
}

/** Whether a call may become a task: the server makes some, or policy asks about a tool of this caller's. */
async function canTask(
  relay: ServerRelay,
  caller: Caller,
  connection: ServerConnection,
  said: JsonObject,
): Promise<boolean> {
  const extensions = objectAt(objectAt(said, "capabilities"), "extensions")
  if (extensions !== undefined && Object.hasOwn(extensions, tasksExtension)) return true
  const tools = await connection.tools.tools()
  for (const name of tools.keys()) {
    const effect = await relay.context.visibility.effect({ server: relay.server.id, kind: "tool", name }, caller)
    if (effect === "ask") return true
  }
  return false
}

async function setLevel({ relay, caller, connection, exchange }: Routed): Promise<Reply> {
  const level = textAt(exchange.ask.params, "level")
  if (!isLogLevel(level)) return { kind: "error", error: { code: -32602, message: "There is no such log level." } }
  // No client hears its log lines, so the server need not know the level.
  if (await isClosed(relay, caller)) return done
  const link = await connection.link()
  if (objectAt(objectAt(link.hello, "capabilities"), "logging") === undefined) return methodNotFound
  connection.levels.set(caller.conversation, level)
  await connection.tellLevel()
  return done
}

/**
 * A client's notification: gives what is wrong with it, or passes it on. It concerns nobody who shares a connection with its client, and nobody
 * at all where policy closes what it is about.
 */
function tellServer(relay: ServerRelay, caller: Caller, { method, params }: Notice): RpcError | null {
  const row = methodRow("client", "notification", method, caller.version)
  if (row === undefined) return rpcError(errorCode.methodNotFound, "This is not a notification of this revision.")
  const built = buildParams(row, params, caller.version, relay.context.unknownParams())
  if (!built.ok) return built.error
  if (row.handling !== "relayed") return null
  const notice = built.params === undefined ? { method } : { method, params: built.params }
  passNotice(relay, caller, notice).catch(() =>
    relay.context.log(`${relay.server.id}: a client's notification could not be passed on.`),
  )
  return null
}

async function passNotice(relay: ServerRelay, given: Caller, notice: Notice): Promise<void> {
  const caller = await withAllowedAbilities(relay.context.visibility, relay.server.id, given)
  const connection = relay.connections.open(caller)
  if (connection === undefined || connection.owner === null || (await isClosed(relay, caller))) return
  if (notice.method === "notifications/roots/list_changed" && !Object.hasOwn(caller.abilities, "roots")) return
  const told = await relay.names.toServer(speakerOf({ relay, caller, connection }), notice)
  if (told === null) return
  const link = await connection.link()
  if (link.era === "legacy") await link.notify(told)
}
