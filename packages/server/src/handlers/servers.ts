import type { ServerView } from "@byleave/api"
import { type AuditBodies, basesOf, reasonOf, serverDraft } from "@byleave/core"
import type { ProgramServer } from "../program-servers.ts"
import { notFound, type RefusedRequest } from "../refused.ts"
import type { ServerFacts } from "../server-options.ts"
import type { ApiService } from "../service.ts"
import { shownTarget } from "../show/shown-transport.ts"
import { type ToolKnowledge, toolKnowledge, toolWords } from "../show/tool-knowledge.ts"
import type { Handler } from "./handler.ts"

export const listServers: Handler<"listServers"> = async (service) => ({ items: await serverViews(service) })

export async function serverViews(service: ApiService): Promise<readonly ServerView[]> {
  const tools = toolKnowledge(service, await service.store.decisionState())
  const programs = await programsOf(service)
  return Promise.all([
    ...service.servers().map((server) => viewOf(service, tools, server)),
    ...programs.map((server) => programView(service, tools, server)),
  ])
}

/** Servers that the service reaches itself are its own, even if a program ran a server of that name before. */
export async function programsOf(service: ApiService): Promise<readonly ProgramServer[]> {
  const own = new Set(service.servers().map(({ id }) => id))
  return (await service.programServers.list()).filter(({ id }) => !own.has(id))
}

export const getServer: Handler<"getServer"> = (service, { params }) => viewOfOne(service, params.id)

async function viewOfOne(service: ApiService, wanted: string): Promise<ServerView | RefusedRequest> {
  const tools = toolKnowledge(service, await service.store.decisionState())
  const server = service.servers().find(({ id }) => id === wanted)
  if (server !== undefined) return viewOf(service, tools, server)
  const program = (await programsOf(service)).find(({ id }) => id === wanted)
  return program === undefined ? notFound() : programView(service, tools, program)
}

/** Recorded before it is done, like everything that lets calls run. */
export const restartServer: Handler<"restartServer"> = async (service, { params, who }) => {
  if (!isThere(service, params.id)) return notFound()
  await commit(service, params.id, { change: "reconnected", by: who.reviewer.id })
  return (await service.restartServer(params.id)) ? commit(service, params.id) : notFound()
}

/** Any reviewer may stop a server: a stopped server runs nothing. It stops even if nothing can be recorded. */
export const stopServer: Handler<"stopServer"> = async (service, { params, who }) =>
  (await service.stopServer(params.id))
    ? commit(service, params.id, { change: "stopped", by: who.reviewer.id })
    : notFound()

export const startServer: Handler<"startServer"> = async (service, { params, who }) => {
  const server = service.servers().find(({ id }) => id === params.id)
  if (server === undefined) return notFound()
  // A server that nobody stopped is only connected to, as by a call.
  if (server.stopped) await commit(service, params.id, { change: "started", by: who.reviewer.id })
  if (!(await service.startServer(params.id))) return notFound()
  await commit(service, params.id)
  return viewOfOne(service, params.id)
}

function isThere(service: ApiService, wanted: string): boolean {
  return service.servers().some(({ id }) => id === wanted)
}

type Done = Omit<AuditBodies["server.changed"], "server">

/** Pages that show the server look again; what a person did is recorded. */
async function commit(service: ApiService, server: string, done?: Done): Promise<null> {
  const at = service.time()
  const records = done === undefined ? [] : [serverDraft({ server, ...done }, at, service)]
  const events = [{ type: "server.changed", subject: server }] as const
  await service.store.commit({ at, records, events, durability: done === undefined ? "soon" : "full" })
  return null
}

/** A caller with no identity: for decisions about a tool before the caller is known. */
const anyone = { principal: { id: "anyone" }, session: { principal: "anyone", id: "anyone", named: false } }

async function viewOf(service: ApiService, known: ToolKnowledge, server: ServerFacts): Promise<ServerView> {
  const { transport } = server
  const secrets = transport.kind === "stdio" ? transport.env : transport.headers
  return {
    id: server.id,
    transport: transport.kind,
    target: shownTarget(transport, service.redactor),
    hasCredentials: server.hasCredentials ?? secrets.size > 0,
    ...configured(service, server.id),
    health: withoutSecrets(service, server.health),
    stopped: server.stopped,
    quarantined: known.quarantineOf(server.id),
    tools: await Promise.all(server.tools.map((name) => toolOf(service, known, server.id, name))),
    toolsCut: server.toolsCut ?? null,
    ...(server.reputation === undefined ? {} : { reputation: server.reputation }),
  }
}

/** A server that another program runs: nothing is known of how it is started, and nothing can be done to it from here. */
async function programView(service: ApiService, known: ToolKnowledge, server: ProgramServer): Promise<ServerView> {
  const { id, credential, lastSeenAt } = server
  const tools = known.toolsOf(id)
  return {
    ...{ id, transport: "program", target: credential, hasCredentials: false, stopped: false },
    ...configured(service, id),
    health: { state: "idle", era: null, lastConnectedAt: lastSeenAt, lastError: null, retryAt: null, links: 0 },
    quarantined: known.quarantineOf(id),
    tools: await Promise.all(tools.map((name) => toolOf(service, known, id, name))),
    toolsCut: null,
  }
}

/** The configured facts about a server, if it is in the configuration. */
function configured(service: ApiService, id: string): Pick<ServerView, "trust" | "folder"> {
  const found = service.policy().servers.find((each) => each.id === id)
  const [folder = null, ...others] = (found && basesOf(found)) ?? []
  return { trust: found?.trust ?? "none", folder: others.length === 0 ? folder : null }
}

function withoutSecrets(service: ApiService, health: ServerFacts["health"]): ServerFacts["health"] {
  const { lastError } = health
  return { ...health, lastError: lastError === null ? null : service.redactor.redactText(lastError) }
}

async function toolOf(service: ApiService, known: ToolKnowledge, server: string, name: string) {
  const { access, accessFrom, pin, definition } = known.factsOf({ server, tool: name })
  const target = { server, kind: "tool", name } as const
  const decision = await service.gate.foresee(target, undefined, anyone)
  return {
    name,
    access,
    accessFrom,
    pin,
    definition: definition === null ? null : toolWords(definition),
    effect: decision.effect,
    why: reasonOf(decision, target),
  }
}
