/**
 * Waits again on a task of ours that nobody waits on, as after a restart.
 *
 * I1. What is taken up again is judged by what the server lists now, and sent only over a connection that lists it so.
 * I2. A tool that the server does not list any more is not called.
 */
import {
  type Approval,
  asObject,
  type Call,
  type JsonObject,
  objectAt,
  type ToolDefinition,
  textAt,
} from "@byleave/core"
import { reviveTask } from "../../hold/held-task.ts"
import type { SendApproved } from "../../hold/run-approved.ts"
import type { Caller, ClientInfo } from "../../wire/caller.ts"
import { envelopeKey } from "../../wire/envelope.ts"
import type { Exchange } from "../../wire/exchange.ts"
import { headersOfRun } from "../../wire/headers/param-headers.ts"
import type { TaskRecord } from "../../wire/ports.ts"
import { newestModern } from "../../wire/versions.ts"
import type { RequestRoute } from "../route.ts"
import { notAsJudged } from "../server-connection.ts"
import type { ServerRelay } from "../server-relay.ts"
import { sendAsOffered } from "../tools/offered-result.ts"

/** Makes this process wait for a task that no process waits for, once a client asks about it. `isGone`: as of that client's exchange. */
export async function takeUpTask(
  relay: ServerRelay,
  record: TaskRecord,
  approval: Approval,
  isGone: Exchange["isGone"],
): Promise<void> {
  const { tool, principal, session, extraParams, args } = approval
  const caller = callerOf(record, approval)
  const connection = relay.connections.of(caller)
  const listed = await connection.tools.tools()
  const live = listed.get(tool.tool)
  // The tool may be back by the time a person answers, and the next request finds it.
  if (live === undefined && approval.status === "pending") return
  const call: Call = {
    tool,
    principal,
    session,
    args: args ?? {},
    ...(extraParams === undefined ? {} : { extraParams }),
    ...(approval.connection === undefined ? {} : { connection: approval.connection }),
    ...(live === undefined ? {} : { listed: { definition: live } }),
  }
  if (live === undefined) return reviveTask(relay.context, { call, send: notListed(tool.tool) }, approval, isGone)
  const offered = (await relay.tools.offered(listed)).get(tool.tool) ?? live
  const route = { relay, caller, connection }
  const send = sendTo(route, call, live, offered)
  reviveTask(relay.context, { call, send }, approval, isGone)
}

function sendTo(route: RequestRoute, call: Call, live: ToolDefinition, offered: ToolDefinition): SendApproved {
  const { tool: name } = call.tool
  const schema = objectAt(live, "inputSchema")
  // No client waits for its progress, so only the method of the request is left.
  const shape = {
    paramsOf: (run: JsonObject) => ({ name, arguments: run }),
    paramHeaders: (run: JsonObject) => headersOfRun(schema, run),
    tool: live,
  }
  return sendAsOffered({ ...route, exchange: { ask: { method: "tools/call" } } }, call, shape, offered)
}

function notListed(name: string): SendApproved {
  return () => Promise.reject(notAsJudged(name))
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
