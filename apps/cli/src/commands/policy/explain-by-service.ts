import type { Client } from "@byleave/api"
import { type JsonObject, type Mode, shownName } from "@byleave/core"
import { nearestWord } from "@byleave/formats"
import type { CommandFailure } from "../../failure.ts"
import { dataFolder } from "../../files/data-folder.ts"
import type { Io } from "../../io.ts"
import { connect } from "../../reach/connect.ts"
import { findService } from "../../reach/find-service.ts"
import { type AskedCall, answerOf, type ExplainedCall } from "./explain-answer.ts"

export type ReachedService = { readonly url: string; readonly client: Client }

/** The service of the data folder; null where none runs, and a sentence where it cannot be asked. */
export async function reachService(
  flags: { readonly data?: string; readonly url?: string },
  io: Io,
): Promise<ReachedService | { readonly problem: string } | null> {
  const found = await findService({ data: dataFolder(flags.data, io), url: flags.url })
  if ("missing" in found)
    return found.code === "not-running" && flags.url === undefined ? null : { problem: found.missing }
  const connected = await connect(found, "looking", io)
  if ("problem" in connected) return { problem: `The service at ${found.url} could not be asked. ${connected.problem}` }
  return { url: found.url, client: connected.client }
}

export type ServiceQuestion = {
  readonly call: AskedCall
  readonly args: JsonObject | undefined
  readonly mode?: Mode
  /** A server that nobody knows is no mistake. */
  readonly mayBeUnknown: boolean
}

export async function explainByService(
  { url, client }: ReachedService,
  { call, args, mode, mayBeUnknown }: ServiceQuestion,
): Promise<ExplainedCall | CommandFailure> {
  const listed = await client.listServers()
  if (!listed.ok) return { error: listed.problem.detail }
  const servers = new Map(listed.value.items.map(({ id, tools }) => [id, tools.map(({ name }) => name)]))
  const tools = servers.get(call.server)
  if (tools === undefined && !mayBeUnknown) return { error: unknownServer(call.server, [...servers.keys()], url) }
  const body = {
    ...{ kind: call.kind, tool: { server: call.server, tool: call.tool }, principal: call.principal },
    ...(args === undefined ? {} : { args }),
    ...(call.session === null ? {} : { session: call.session }),
    ...(mode === undefined ? {} : { mode }),
  }
  const reply = await client.explainPolicy({ body })
  if (!reply.ok) return { error: reply.problem.detail }
  const unknown = call.kind === "tool" && tools?.includes(call.tool) !== true ? [unknownTool(call, tools ?? [])] : []
  return answerOf(reply.value, call, { service: url }, [...unknown, "Limits are not considered."])
}

function unknownServer(server: string, known: readonly string[], url: string): string {
  const nearest = nearestWord(server, known)
  const list =
    known.length === 0 ? "It has no servers yet." : `It has: ${known.map((name) => shownName(name)).join(", ")}.`
  const advice = nearest === undefined ? list : `Did you mean ${shownName(nearest)}?`
  return `The service at ${url} has no server ${shownName(server)}. ${advice} To explain it anyway, add --wrapped; to use a file instead, add --config FILE.`
}

const mostNamed = 10

function unknownTool({ server, tool }: AskedCall, known: readonly string[]): string {
  const head = `The service knows no tool ${shownName(tool)} on ${shownName(server)}.`
  const nearest = nearestWord(tool, known)
  if (nearest !== undefined) return `${head} Did you mean ${shownName(nearest)}?`
  if (known.length === 0) return `${head} Its tools are not known until an agent lists them.`
  const more = known.length > mostNamed ? ` and ${known.length - mostNamed} more` : ""
  return `${head} It has: ${known
    .slice(0, mostNamed)
    .map((name) => shownName(name))
    .join(", ")}${more}.`
}
