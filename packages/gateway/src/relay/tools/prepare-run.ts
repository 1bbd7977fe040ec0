/**
 * An approved call of a tool, made ready to run without the client that asked for it. Making ready connects and lists, and no more: the call itself
 * is sent when the gate says so, over a connection that lists the tool as it was judged.
 */
import {
  type Approval,
  type Call,
  type JsonObject,
  memberAt,
  objectAt,
  type Run,
  shownName,
  type ToolDefinition,
  toolName,
} from "@byleave/core"
import { runForAbsent } from "../../hold/run-approved.ts"
import { LinkError } from "../../upstream/link.ts"
import type { Caller } from "../../wire/caller.ts"
import { headersOfRun } from "../../wire/headers/param-headers.ts"
import { newestLegacy } from "../../wire/versions.ts"
import type { ServerRelay } from "../server-relay.ts"
import { sendAsOffered } from "./offered-result.ts"

/** `why`: a sentence for people. */
export type PreparedRun =
  | { readonly ok: true; readonly run: Run; readonly listed: { readonly definition: ToolDefinition } }
  | { readonly ok: false; readonly why: string }

/** Why it cannot be run now, as far as that is known without connecting to its server; null: nothing speaks against it. */
export function whyNotRun(relay: ServerRelay, approval: Approval): string | null {
  const { state, lastError } = relay.upstream.health()
  if (state !== "failing") return whyNever(relay, approval)
  return (
    whyNever(relay, approval) ??
    `${shownName(relay.server.id)} cannot be reached: ${lastError ?? "it does not answer."}`
  )
}

export async function prepareRun(relay: ServerRelay, approval: Approval): Promise<PreparedRun> {
  const why = whyNever(relay, approval)
  if (why !== null) return { ok: false, why }
  try {
    return await ready(relay, approval)
  } catch (error) {
    if (!(error instanceof LinkError)) throw error
    return { ok: false, why: `${shownName(relay.server.id)} cannot be reached, so nothing was run: ${error.message}` }
  }
}

/** Trying would not help. */
function whyNever(relay: ServerRelay, approval: Approval): string | null {
  return relay.isStopped() ? stoppedWords(relay) : onlyWithItsClient(approval)
}

function stoppedWords({ server }: ServerRelay): string {
  return `${shownName(server.id)} is stopped. Start it on the Servers page first.`
}

/** The reason why only the client itself can continue the call. Null: there is none. */
function onlyWithItsClient({ kind, extraParams, connection }: Approval): string | null {
  if (kind !== "tool") return "Only a call of a tool can run without its agent."
  if (memberAt(extraParams, "task") !== undefined)
    return "The agent wants this as a task, which only its own client can follow."
  const goesOn = ["inputResponses", "requestState"].some((name) => memberAt(extraParams, name) !== undefined)
  if (goesOn)
    return "It goes on with a conversation between the agent and the server, which only the agent's client can continue."
  if (connection === undefined) return null
  return "The agent has a connection of its own to the server, and elsewhere the call could mean something else. Only the agent's client can run it."
}

/** A call of an agent run of Byleave's own, which was judged when there were so many `changes`. It is made ready as one whose client is away: nobody behind it can be asked anything. */
export async function prepareRunCall(
  relay: ServerRelay,
  id: string,
  call: Call,
  changes: number,
): Promise<PreparedRun> {
  if (relay.isStopped()) return { ok: false, why: stoppedWords(relay) }
  try {
    const prepared = await ready(relay, { id, ...call }, changes)
    const judged = call.listed?.definition
    if (!prepared.ok || judged === undefined || isSameTool(judged, prepared.listed.definition)) return prepared
    return {
      ok: false,
      why: `${shownName(toolName(call.tool))} changed since this call was judged, so nothing was run.`,
    }
  } catch (error) {
    if (!(error instanceof LinkError)) throw error
    return { ok: false, why: `${shownName(relay.server.id)} cannot be reached, so nothing was run: ${error.message}` }
  }
}

function isSameTool(one: ToolDefinition, other: ToolDefinition): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

type Prepared = Pick<Approval, "id" | "tool" | "principal" | "session" | "args"> & Pick<Call, "extraParams">

/** `changes`: as they were before the call was judged; absent: it is judged once it is ready. */
async function ready(relay: ServerRelay, approval: Prepared, changes?: number): Promise<PreparedRun> {
  const { tool, principal, session, extraParams, args } = approval
  const caller = absentCaller(approval)
  const connection = relay.connections.of(caller)
  const listed = await connection.tools.tools()
  const definition = listed.get(tool.tool)
  if (definition === undefined)
    return { ok: false, why: `${shownName(toolName(tool))} is not among the tools its server lists now.` }
  if (!relay.tools.isTold(definition)) await relay.tools.standFor(connection.key, definition)
  const beside = extraParams === undefined ? {} : { extraParams }
  const call: Call = { tool, principal, session, args: args ?? {}, ...beside, listed: { definition } }
  const schema = objectAt(definition, "inputSchema")
  const route = { relay, caller, connection, exchange: { ask: { method: "tools/call" } } }
  const offered = (await relay.tools.offered(listed)).get(tool.tool) ?? definition
  const shape = {
    paramsOf: (run: JsonObject) => ({ name: tool.tool, arguments: run }),
    paramHeaders: (run: JsonObject) => headersOfRun(schema, run),
    tool: definition,
    ...(changes === undefined ? {} : { changes }),
  }
  const send = sendAsOffered(route, call, shape, offered)
  return { ok: true, run: runForAbsent(relay.context, { call, send }), listed: { definition } }
}

/** Declares nothing: what its client could be asked, it cannot be asked now. */
export function absentCaller({ id, principal, session }: Pick<Approval, "id" | "principal" | "session">): Caller {
  return {
    principal,
    session,
    conversation: `absent ${id}`,
    era: "legacy",
    version: newestLegacy,
    client: null,
    abilities: {},
  }
}
