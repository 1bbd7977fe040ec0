/**
 * Every call that was judged, from the audit. A page is found by walking the judgements from the newest on; what no index knows (whose
 * call, which tool, what became of it) is looked at on the way, so a page may come with fewer calls than asked for and still have a next.
 * Reads that pages made to show cards are listed only if the query names their caller: they are in the audit, but not by agents.
 */
import type { CallView } from "@byleave/api"
import { type AuditQuery, type Effect, largestWhole, type RecordWithPayload, type RefusalCode } from "@byleave/core"
import { isRefused, notFound } from "../../refused.ts"
import type { ApiService } from "../../service.ts"
import {
  argsIn,
  isJudged,
  type JudgedCallBody,
  type JudgedRecord,
  type JudgedType,
  judgedTypes,
  previewIn,
  type ToldCall,
  toldCall,
} from "../../show/activity/call-view-of.ts"
import { isForCard } from "../../show/activity/inbox-caller.ts"
import { bodyOf, recordViewOf } from "../../show/activity/read-record.ts"
import { approvalViewOf } from "../../show/approval-view-of.ts"
import { withFirstUseNow } from "../../show/first-use.ts"
import { opaqueSession } from "../../show/session-key.ts"
import { toolKnowledge } from "../../show/tool-knowledge.ts"
import { failureWords } from "../approvals/failure-words.ts"
import type { HandledRequest, Handler } from "../handler.ts"
import { auditCursor, readCursor, writeCursor } from "./cursor.ts"
import { mostSearched, type Search, searchedBytes, searchFor } from "./search-calls.ts"

type Wanted = Omit<HandledRequest<"listCalls">["query"], "after" | "limit">

export const listCalls: Handler<"listCalls"> = async (service, { query }) => {
  const { after, limit, ...wanted } = query
  const place = after === undefined ? undefined : readCursor(auditCursor, after)
  if (isRefused(place)) return place
  const from = place === undefined ? startOf(wanted) : { at: place[0], writer: place[1], seq: place[2] }
  const { items, next } = await walk(service, wanted, from, limit)
  return {
    items: await withPreviews(service, items),
    next: next === null ? null : writeCursor([next.at, next.writer, next.seq]),
    lookedTo: next?.at ?? null,
  }
}

/** Arguments of so many calls are read at a time: no more than 2 MiB. */
const readAtOnce = 32

/** Arguments may be large, so those of calls that were only looked at are never read, and no others than are kept now. */
async function withPreviews(service: ApiService, calls: readonly ToldCall[]): Promise<readonly CallView[]> {
  const views: CallView[] = []
  for (let at = 0; at < calls.length; at += readAtOnce) {
    const some = calls.slice(at, at + readAtOnce)
    const subjects = some.map(({ view }) => view.id)
    const payloads = { upTo: largestWhole }
    const judged = await service.store.records({ subjects, types: judgedTypes, limit: subjects.length, payloads })
    const previews = new Map(judged.map(({ subject, payload }) => [subject, previewIn(payload)]))
    const failed = some.flatMap(({ view }) => (view.outcome === "failed" ? [view.id] : []))
    const failures = await failureWords(service, failed)
    views.push(
      ...some.map(({ view }) => ({
        ...withKey(service, view),
        preview: previews.get(view.id) ?? null,
        failure: failures.get(view.id) ?? null,
      })),
    )
  }
  return views
}

function withKey({ hasher }: ApiService, view: ToldCall["view"]): Omit<CallView, "failure"> {
  return { ...view, sessionKey: opaqueSession(view.session, hasher) }
}

export const getCall: Handler<"getCall"> = async (service, { params }) => {
  const records = await service.store.records({ subject: params.id, limit: mostOfOne })
  const judged = records.find(isJudged)
  if (judged === undefined) return notFound()
  const [told] = await tell(service, [{ judged, body: bodyOf(judged) }], records)
  if (told === undefined) return notFound()
  const failures =
    told.view.outcome === "failed" ? await failureWords(service, [told.view.id]) : new Map<string, string>()
  const approval = told.view.approval === null ? undefined : await service.gate.approval(told.view.approval)
  const oldestFirst = records.toReversed().sort((a, b) => a.step - b.step || a.at - b.at)
  return {
    call: {
      ...withKey(service, told.view),
      failure: failures.get(told.view.id) ?? null,
      args: argsIn(judged.payload),
      argsAreWhole: bodyOf(judged).wholeBytes === undefined,
    },
    records: oldestFirst.map((record) => recordViewOf(record, told.view.forCard)),
    approval:
      approval === undefined
        ? null
        : approvalViewOf(
            service,
            toolKnowledge(service, await service.store.decisionState()),
            await withFirstUseNow(service, approval),
          ),
  }
}

/** A call's records are few: several votes and extensions at most. */
const mostOfOne = 1_000

type Place = NonNullable<AuditQuery["after"]>
type Page = { readonly items: readonly ToldCall[]; readonly next: Place | null }

/** Judgements looked at for one page, and at a time. */
const mostLooked = 10_000
const step = 500

async function walk(service: ApiService, wanted: Wanted, from: Place | undefined, limit: number): Promise<Page> {
  const types = typesFor(wanted)
  const size = isSifted(wanted) ? step : limit
  const search = wanted.text === undefined ? null : searchFor(service, wanted.text)
  const most = search === null ? mostLooked : mostSearched
  const items: ToldCall[] = []
  let place = from
  for (let looked = 0; looked < most; looked += size) {
    if (types.length === 0 || service.closing.aborted) return { items, next: null }
    const page = await service.store.records({
      types,
      limit: size,
      payloads: search === null ? false : { upTo: searchedBytes },
      ...(place === undefined ? {} : { after: place }),
    })
    const found = page.filter(isJudged).filter(({ at }) => at >= (wanted.since ?? 0))
    for (const told of await sift(service, wanted, search, found)) {
      items.push(told.call)
      if (items.length === limit) return { items, next: placeOf(told.judged) }
    }
    const last = page.at(-1)
    if (last === undefined || page.length < size || found.length < page.length) return { items, next: null }
    place = placeOf(last)
  }
  return { items, next: place ?? null }
}

function placeOf({ at, writer, seq }: RecordWithPayload): Place {
  return { at, writer, seq }
}

/** Before everything of that time: no writer's name is empty. */
function startOf({ until }: Wanted): Place | undefined {
  return until === undefined ? undefined : { at: until, writer: "", seq: 0 }
}

type Sifted = { readonly judged: JudgedRecord; readonly call: ToldCall }

async function sift(
  service: ApiService,
  wanted: Wanted,
  search: Search | null,
  found: readonly JudgedRecord[],
): Promise<readonly Sifted[]> {
  const read = found.map((judged) => ({ judged, body: bodyOf(judged) })).filter(({ body }) => isAbout(body, wanted))
  const others = await othersOf(service, read)
  const calls = await tell(service, read, others)
  const sifted = calls
    .map((call, index) => ({ judged: read[index]?.judged as JudgedRecord, call }))
    .filter(({ call }) => hasCome(call, wanted))
  if (search === null) return sifted
  const bySubject = Map.groupBy(others, ({ subject }) => subject)
  const isFound = await Promise.all(
    sifted.map(({ call, judged }) => search(call, judged, bySubject.get(judged.subject) ?? [])),
  )
  return sifted.filter((_, index) => isFound[index])
}

type Read = { readonly judged: JudgedRecord; readonly body: JudgedCallBody }

/** The later records of these calls, after their judgement. Refused calls have none. */
async function othersOf(service: ApiService, read: readonly Read[]): Promise<readonly RecordWithPayload[]> {
  const subjects = read.flatMap(({ judged: { type, subject } }) =>
    subject === null || type === "call.denied" || type === "call.hidden" ? [] : [subject],
  )
  if (subjects.length === 0) return []
  return service.store.records({ subjects, types: laterTypes, limit: subjects.length * mostOfOne, payloads: false })
}

const laterTypes = [
  "approval.approved",
  "approval.denied",
  "approval.expired",
  "approval.cancelled",
  "approval.superseded",
  "run.started",
  "run.succeeded",
  "run.failed",
  "run.unknown",
] as const

async function tell(
  service: ApiService,
  read: readonly Read[],
  records: readonly RecordWithPayload[],
): Promise<readonly ToldCall[]> {
  const bySubject = Map.groupBy(
    records.filter((record) => !isJudged(record)),
    ({ subject }) => subject,
  )
  const alive = new Set([service.store.writer, ...(await service.store.alive(service.time()))])
  const isAlive = (writer: string): boolean => alive.has(writer)
  return read.map(({ judged, body }) =>
    toldCall({ judged, body, others: bySubject.get(judged.subject) ?? [], isAlive }),
  )
}

/** Whether anything is asked for that the types of judgements do not tell. */
function isSifted({ effect: _, since: __, until: ___, ...others }: Wanted): boolean {
  return Object.values(others).some((filter) => filter !== undefined)
}

function isAbout(body: JudgedCallBody, { server, tool, principal, session }: Wanted): boolean {
  return (
    (server === undefined || body.server === server) &&
    (tool === undefined || body.tool === tool) &&
    (principal === undefined ? !isForCard(body) : body.principal === principal) &&
    (session === undefined || body.session === session)
  )
}

function hasCome({ view, code }: ToldCall, wanted: Wanted): boolean {
  const { outcome, decidedBy } = wanted
  return (
    (outcome === undefined || outcome.includes(view.outcome)) &&
    (decidedBy === undefined || view.decidedBy === decidedBy) &&
    (wanted.code === undefined || code === wanted.code) &&
    (wanted.answer === undefined || view.answer === wanted.answer) &&
    isWithin(view.decidedAfterMs, wanted)
  )
}

function isWithin(took: number | null, { decidedFromMs: from, decidedToMs: to }: Wanted): boolean {
  if (from === undefined && to === undefined) return true
  return took !== null && took >= (from ?? 0) && took <= (to ?? Number.POSITIVE_INFINITY)
}

const typeOf = {
  hide: "call.hidden",
  deny: "call.denied",
  ask: "call.asked",
  allow: "call.allowed",
} as const satisfies Record<Effect, JudgedType>

const held = ["call.asked"] as const
const ran = ["call.asked", "call.allowed"] as const
const refused = ["call.denied", "call.hidden"] as const

/** Which judgements an outcome can follow: what cannot have come to it is not walked through. */
const typesOfOutcome = {
  waiting: held,
  running: ran,
  succeeded: ran,
  failed: ran,
  unknown: ran,
  refused,
  denied: held,
  expired: held,
  cancelled: held,
  superseded: held,
} as const satisfies Record<CallView["outcome"], readonly JudgedType[]>

const deniedAtLast = ["call.denied", "call.asked"] as const
const typesOfCode: ReadonlyMap<string, readonly JudgedType[]> = new Map(
  Object.entries({
    hidden: ["call.hidden", "call.asked"],
    "denied-by-rule": deniedAtLast,
    "denied-by-grant": deniedAtLast,
    "definition-rejected": deniedAtLast,
    "other-program": deniedAtLast,
    unattended: deniedAtLast,
    "denied-by-reviewer": held,
    expired: held,
    cancelled: held,
    superseded: held,
    "too-many-waiting": ["call.denied"],
    "too-much-held": ["call.denied"],
    "denied-too-often": ["call.denied"],
    "store-unavailable": ["call.denied"],
  } as const satisfies Record<RefusalCode, readonly JudgedType[]>),
)

function typesFor(wanted: Wanted): readonly JudgedType[] {
  const { effect, outcome, decidedBy, answer, code, decidedFromMs, decidedToMs } = wanted
  const isDecided = [decidedBy, answer, decidedFromMs, decidedToMs].some((filter) => filter !== undefined)
  const sets: ReadonlyArray<readonly JudgedType[] | undefined> = [
    effect?.map((each) => typeOf[each]),
    outcome?.flatMap((each) => typesOfOutcome[each]),
    isDecided ? held : undefined,
    code === undefined ? undefined : (typesOfCode.get(code) ?? []),
  ]
  return judgedTypes.filter((type) => sets.every((set) => set === undefined || set.includes(type)))
}
