/**
 * Calls of tools.
 *
 * I1. Only a tool that the server lists to this caller is called; any other does not exist.
 * I2. A call is judged by the definition that its own connection lists.
 * I3. What is sent is what may run: the arguments of the gate, and nothing of those they replaced.
 * I4. A call whose headers say something else than its arguments is neither run nor held. That is told only of a tool that policy does not refuse: a hidden one does
 *     not show itself by it.
 * I5. A tool is called over a connection that lists it as it was judged, or not at all: a server may have been started anew while the call waited.
 */
import { type Call, type JsonObject, objectAt, type ToolDefinition, textAt } from "@byleave/core"
import { answerGated, type Gated } from "../../hold/gated-call.ts"
import { LinkError } from "../../upstream/link.ts"
import type { Caller } from "../../wire/caller.ts"
import type { Exchange } from "../../wire/exchange.ts"
import { checkParamHeaders, headersOfRun } from "../../wire/headers/param-headers.ts"
import type { Reply } from "../../wire/message.ts"
import { unknownName } from "../../wire/outcome-reply.ts"
import { takesTasks } from "../era.ts"
import { callFor, type Routed, withItsConnection } from "../route.ts"
import type { ServerConnection } from "../server-connection.ts"
import { noAnswer, type ServerRelay } from "../server-relay.ts"
import { sendAsOffered } from "./offered-result.ts"

/** A tool is called: it must be one the server lists, and then the gate has its word. */
export function callTool(asked: Routed): Promise<Reply> {
  const { relay } = asked
  return answered(asked).catch((error: unknown) => noAnswer(relay, error))
}

/** Not async, nor is `callTool`: a call that waits for a person then does not keep its arguments in memory. */
function answered(asked: Routed): Promise<Reply> {
  const { context } = asked.relay
  const known = knownCall(asked)
  if (known !== null) return answerGated(context, known)
  return understoodCall(asked).then((call) => ("kind" in call ? call : answerGated(context, call)))
}

/** A call of a tool that is known already, and that its caller was told of, as most are; null: of any other. */
function knownCall(asked: Routed): Gated | null {
  const { relay, connection } = asked
  const found = relay.upstream.era() === null ? undefined : knownTool(relay, connection, nameIn(asked))
  if (found?.offered === undefined || !relay.tools.isTold(found.tool)) return null
  return gatedCall(asked, found.tool, found.offered)
}

async function understoodCall(asked: Routed): Promise<Gated | Reply> {
  const { relay, caller } = asked
  const name = nameIn(asked)
  const routed = relay.upstream.era() === null ? await withItsConnection(asked) : asked
  const { connection } = routed
  const found = knownTool(relay, connection, name) ?? (await listedOrKnown(relay, connection, name))
  if (found === undefined) return unknownName({ call: callOf(asked), era: caller.era })
  const { tool, offered } = found
  if (!relay.tools.isTold(tool)) await relay.tools.standFor(connection.key, tool)
  if (offered === undefined && !(await isRefused(relay, caller, name))) {
    return unknownName({ call: callOf(asked), era: caller.era })
  }
  return gatedCall(routed, tool, offered ?? tool)
}

function nameIn({ exchange }: Routed): string {
  return textAt(exchange.ask.params, "name") ?? ""
}

function callOf(routed: Routed, listed?: Call["listed"]): Call {
  const args = objectAt(routed.exchange.ask.params, "arguments") ?? {}
  return callFor(routed, { kind: "tool", name: nameIn(routed), args }, listed)
}

/** `tool`: as the server lists it. `offered`: as its caller was told of it, which the caller goes by. */
function gatedCall(routed: Routed, tool: ToolDefinition, offered: ToolDefinition): Gated {
  const { caller, exchange } = routed
  const call = callOf(routed, { definition: tool })
  const isBare = objectAt(exchange.ask.params, "arguments") === undefined
  const schema = objectAt(tool, "inputSchema")
  const shape = {
    paramsOf: paramsOfCall(call.tool.tool, isBare),
    paramHeaders: (run: JsonObject) => headersOfRun(schema, run),
    tool,
  }
  return {
    call,
    exchange,
    send: sendAsOffered(routed, call, shape, offered),
    canBeTask: takesTasks(caller),
    wrong: headerProblem(objectAt(offered, "inputSchema"), call.args, exchange),
  }
}

/** A call without arguments goes on without them, unless a reviewer gave it some. */
function paramsOfCall(name: string, isBare: boolean): (run: JsonObject) => JsonObject {
  return (run) => (isBare && Object.keys(run).length === 0 ? { name } : { name, arguments: run })
}

/** `tool`: as the server lists it. `offered`: as agents are told of it; undefined: they are not. */
type FoundTool = { readonly tool: ToolDefinition; readonly offered: ToolDefinition | undefined }

function knownTool(relay: ServerRelay, { tools }: ServerConnection, name: string): FoundTool | undefined {
  const known = tools.known()
  const tool = known?.get(name)
  if (known === null || tool === undefined) return undefined
  const offered = relay.tools.offeredNow(known)
  return offered === undefined ? undefined : { tool, offered: offered.get(name) }
}

/** A gate that cannot be asked what agents were told lets nothing run either: it is asked about the call all the same, and says why not. */
async function listedOrKnown(
  relay: ServerRelay,
  connection: ServerConnection,
  name: string,
): Promise<FoundTool | undefined> {
  try {
    return await listedTool(relay, connection, name)
  } catch (error) {
    const tool = error instanceof LinkError ? undefined : connection.tools.known()?.get(name)
    if (tool === undefined) throw error
    return { tool, offered: tool }
  }
}

/** Names the server lists now; one that is missing may be new, so the list is read again before that is said. */
async function listedTool(
  relay: ServerRelay,
  { tools }: ServerConnection,
  name: string,
): Promise<FoundTool | undefined> {
  for (const read of [tools.tools, tools.again]) {
    const listed = await read()
    const tool = listed.get(name)
    if (tool !== undefined) return { tool, offered: (await relay.tools.offered(listed)).get(name) }
  }
  return undefined
}

/** A tool that agents are not told of is refused by the gate, and recorded, if policy refuses it; else it does not exist for them. */
async function isRefused(relay: ServerRelay, caller: Caller, name: string): Promise<boolean> {
  const target = { server: relay.server.id, kind: "tool", name } as const
  const { effect } = await relay.context.gate.judge(target, undefined, caller)
  return effect === "hide" || effect === "deny"
}

/** Headers a modern client mirrors arguments into must agree with the body, which alone counts. */
function headerProblem(
  schema: JsonObject | undefined,
  args: JsonObject,
  { caller, paramHeaders }: Exchange,
): Reply | undefined {
  if (caller.era === "legacy" || paramHeaders === null || schema === undefined) return undefined
  const error = checkParamHeaders(schema, args, paramHeaders)
  return error === undefined ? undefined : { kind: "error", error }
}
