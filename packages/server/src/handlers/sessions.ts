/**
 * Sessions: their modes, names and ends.
 *
 * I1. Nobody loosens a session of a token they own: by a mode, by taking it out of `unattended`, or by lifting what is refused in it.
 * I2. Ending a session, which forgets what is refused in it, needs somebody to be there wherever that could let something run.
 * I3. Ending a session forgets no no of the ender's own token.
 */
import type { SessionView } from "@byleave/api"
import {
  type Grant,
  isRunPrincipal,
  newSessionRecord,
  type Session,
  type SessionRecord,
  scopeOf,
  type ToolRef,
} from "@byleave/core"
import { notFound, type RefusedRequest, refuse } from "../refused.ts"
import type { ApiService } from "../service.ts"
import { grantViewOf } from "../show/grant-view-of.ts"
import { opaqueSession } from "../show/session-key.ts"
import { unlessSessionShown } from "./approvals/as-shown.ts"
import { mayWiden, refuseSelfApproval } from "./approvals/self-approval.ts"
import { mayForget } from "./grants.ts"
import type { Handler } from "./handler.ts"
import { knownSession, liveSessions } from "./history/known-sessions.ts"

export const listSessions: Handler<"listSessions"> = async (service, { query }) => {
  if (query.keys !== undefined) return { items: await sessionsByKey(service, query.keys) }
  const [live, grants] = await Promise.all([liveSessions(service, query.session), service.gate.grants()])
  const views = live.map(({ session, record, waiting }) => viewOf(service, { session, record, waiting, grants }))
  return { items: await Promise.all(views) }
}

/** Over or not: people who look at a session's calls want to know whose they were. */
async function sessionsByKey(service: ApiService, keys: readonly string[]): Promise<readonly SessionView[]> {
  const asked = [...new Set(keys)]
  const facts = await Promise.all(asked.map((key) => service.sessionFacts?.byKey(key) ?? null))
  const unseen = asked.filter((_, at) => facts[at] === null)
  const sessions = [...facts.flatMap((fact) => fact?.session ?? []), ...(await unseenSessions(service, unseen))]
  return Promise.all(sessions.map((session) => viewOfOne(service, session)))
}

/** Sessions of which nothing is known but that they are there, such as the one in which Byleave asks about itself. */
async function unseenSessions(service: ApiService, keys: readonly string[]): Promise<readonly Session[]> {
  if (keys.length === 0) return []
  const live = (await liveSessions(service)).map(({ session }) => session)
  return live.filter((session) => keys.includes(opaqueSession(session, service.hasher)))
}

export const setMode: Handler<"setMode"> = async (service, { body, who }) => {
  const session = await knownSession(service, body)
  if (session === null) return notFound()
  const shown = await viewOfOne(service, session)
  const mayLoosen = body.mode !== "ask" || shown.mode === "unattended"
  const own = mayLoosen ? await refuseSelfApproval(service, who.reviewer.id, session) : null
  const refused = unlessSessionShown(service, shown, body.digest) ?? own
  if (refused !== null) return refused
  const until = body.until === undefined ? {} : { until: body.until }
  const set = await service.gate.setMode(session, body.mode, { reviewer: who.reviewer, ...until })
  return set.ok ? viewOfOne(service, session) : refuse(set.code, set.detail)
}

export const nameSession: Handler<"nameSession"> = async (service, { body }) => {
  const session = await knownSession(service, body)
  if (session === null) return notFound()
  const id = opaqueSession(session, service.hasher)
  const known = await service.store.document("label", id, service.time())
  const label = body.label?.trim() ?? ""
  const put = { kind: "label", id, version: (known?.version ?? 0) + 1, value: { version: 1, label }, expiresAt: null }
  const committed = await service.store.commit({
    at: service.time(),
    documents: [{ put, replaces: known?.version ?? null }],
    records: [],
    events: [{ type: "document.changed", subject: `label/${id}` }],
    durability: "soon",
  })
  return committed.ok ? viewOfOne(service, session) : renamedMeanwhile
}

const renamedMeanwhile = refuse("conflict", "Somebody renamed it in the meantime. Review it again.")

export const endSession: Handler<"endSession"> = async (service, { body, who }) => {
  const session = await knownSession(service, body)
  if (session === null) return notFound()
  if (session.principal === ownName) return ownSession
  const otherwise = unlessSessionShown(service, await viewOfOne(service, session), body.digest)
  const refused = otherwise ?? (await mayEnd(service, who, session))
  if (refused !== null) return refused
  await service.gate.stopSession(session)
  return null
}

/**
 * No token has this name: what is asked under it, Byleave asks about itself. Its session ended, what the file says and what is in force would
 * differ, and nobody would be asked.
 */
const ownName = "byleave"

const ownSession = refuse(
  "conflict",
  "This is Byleave's own session for configuration changes. Decide the waiting change, or edit the file.",
)

/** Ending a session forgets its denials, refusals and mode: the same rules apply as to forgetting a denial. */
async function mayEnd(
  service: ApiService,
  who: Parameters<typeof mayForget>[1],
  session: Session,
): Promise<RefusedRequest | null> {
  const record = await service.store.session(session)
  const strict = (record?.refused.length ?? 0) > 0 || record?.mode === "unattended"
  const refused = strict ? await mayWiden(service, who, { session }) : null
  return refused ?? mayForget(service, who, ofSession(await service.gate.grants(), session))
}

export const liftRefusal: Handler<"liftRefusal"> = async (service, { body, who }) => {
  const session = await knownSession(service, body)
  if (session === null) return notFound()
  const otherwise = unlessSessionShown(service, await viewOfOne(service, session), body.digest)
  const refused = otherwise ?? (await refuseSelfApproval(service, who.reviewer.id, session))
  if (refused !== null) return refused
  await service.gate.liftRefusals(session, body.tool, who.reviewer)
  return viewOfOne(service, session)
}

type Parts = {
  readonly session: Session
  readonly record: SessionRecord | undefined
  readonly waiting: number
  readonly grants: readonly Grant[]
}

async function viewOfOne(service: ApiService, session: Session): Promise<SessionView> {
  const { principal, id } = session
  const [record, waiting, grants] = await Promise.all([
    service.store.session(session),
    service.store.countApprovals({ principal, session: id, statuses: ["pending"] }),
    service.gate.grants(),
  ])
  return viewOf(service, { session, record, waiting, grants })
}

async function viewOf(service: ApiService, { session, record, waiting, grants }: Parts): Promise<SessionView> {
  const { principal, id, named } = session
  const now = service.time()
  const known = record ?? newSessionRecord(session)
  const isOver = known.endedAt !== null || (known.modeUntil !== null && known.modeUntil <= now)
  const key = opaqueSession(session, service.hasher)
  return {
    principal,
    id,
    named,
    key,
    ...(await factsOf(service, session)),
    runTitle: await runTitleOf(service, session),
    connection: await connectionOf(service, session),
    label: await labelOf(service, key),
    mode: isOver ? "ask" : known.mode,
    modeUntil: isOver ? null : known.modeUntil,
    modeBy: isOver ? null : known.modeBy,
    endedAt: known.endedAt,
    waiting,
    refused: known.refused.flatMap(toolOfKey),
    grants: ofSession(grants, session).map((grant) => grantViewOf(grant, now)),
  }
}

type Facts = Pick<SessionView, "client" | "folder" | "switches" | "firstCall" | "startedAt" | "lastSeenAt">
const nothingKnown: Facts = {
  client: null,
  folder: null,
  switches: [],
  firstCall: null,
  startedAt: null,
  lastSeenAt: null,
}

async function factsOf(service: ApiService, session: Session): Promise<Facts> {
  const fact = await service.sessionFacts?.of(session)
  if (fact === undefined || fact === null) return nothingKnown
  const { switches = [], firstCall, startedAt, lastSeenAt } = fact
  const shown = (text: string | null): string | null => (text === null ? null : service.redactor.redactText(text))
  return { client: shown(fact.client), folder: shown(fact.folder), switches, firstCall, startedAt, lastSeenAt }
}

/** The task of the session's agent run. */
async function runTitleOf(service: ApiService, { principal, id }: Session): Promise<string | null> {
  const run = isRunPrincipal(principal) ? await service.gate.run(id) : undefined
  return run === undefined ? null : service.redactor.redactText(run.title)
}

/** A client with an open stream is there; one without may be, too. */
async function connectionOf(service: ApiService, session: Session): Promise<SessionView["connection"]> {
  return service.isListening?.(session) === true ? { state: "connected" } : service.attendance.connectionOf(session)
}

async function labelOf(service: ApiService, key: string): Promise<string | null> {
  const label = (await service.store.document("label", key, service.time()))?.value.label
  return typeof label === "string" && label !== "" ? label : null
}

function ofSession(grants: readonly Grant[], { principal, id }: Session): readonly Grant[] {
  return grants.filter((grant) => {
    const { session } = scopeOf(grant)
    return session?.principal === principal && session.id === id
  })
}

/** Core's `toolKey`, read back: the length of the server's id comes first. */
function toolOfKey(key: string): readonly ToolRef[] {
  const [, length] = /^(\d+):/.exec(key) ?? []
  if (length === undefined) return []
  const names = key.slice(length.length + 1)
  return [{ server: names.slice(0, Number(length)), tool: names.slice(Number(length)) }]
}
