import { type AgentRun, type ApprovalSummary, type RunQuery, type RunSummary, summaryOf } from "@byleave/core"
import { maySee, ownRuns, runFor, runSummaryFor, starterOf } from "../../guard/run-caller.ts"
import { inTurn, pageOf, searchInTurn } from "../../guard/run-reads.ts"
import { needPresence } from "../../guard/who-asks.ts"
import { isRefused, notFound } from "../../refused.ts"
import type { ApiService } from "../../service.ts"
import { approvalSummaryOf } from "../../show/approval-view-of.ts"
import {
  mostRequirements,
  requirementViewOf,
  runSummaryViewOf,
  runViewOf,
  shownRequirements,
} from "../../show/runs/run-view-of.ts"
import { mostRead, searchRuns } from "../../show/runs/search-runs.ts"
import { toolKnowledge } from "../../show/tool-knowledge.ts"
import type { Handler } from "../handler.ts"
import { approvalCursor, readCursor, writeCursor } from "../history/cursor.ts"
import { runsOf, runsRefused } from "./runs-refused.ts"

export const listRuns: Handler<"listRuns"> = async (service, { query, who }) => {
  const { status, principal, text, after, limit } = query
  const place = after === undefined ? undefined : readCursor(approvalCursor, after)
  if (isRefused(place)) return place
  const which = {
    ...ownRuns(who),
    ...(status === undefined ? {} : { statuses: status }),
    ...(principal === undefined ? {} : { principal }),
  }
  const from = place === undefined ? undefined : { createdAt: place[0], id: place[1] }
  const runs = runsOf(service)
  const ports = {
    list: (page: Pick<RunQuery, "after" | "limit">) => service.gate.runs({ ...which, ...page }),
    mayShow: (run: RunSummary) => maySee(who, run),
    isSaidIn: isRefused(runs) ? null : runs.isSaidIn,
    nextTurn: service.runReads.nextTurn,
  }
  const search = () => searchRuns(ports, { text: text ?? "", from, limit })
  const searched = text === undefined ? await search() : await searchInTurn(service.runReads, who, mostRead, search)
  if (isRefused(searched)) return searched
  const { found, last } = searched
  const next = last === null ? null : writeCursor([last.createdAt, last.id])
  return { items: found.map((run) => runSummaryViewOf(service, run)), next }
}

export const getRun: Handler<"getRun"> = async (service, { params, who }) => {
  const run = await runFor(service, who, params.id)
  if (isRefused(run)) return run
  const runs = runsOf(service)
  const waited = shownRequirements(run)
  const tools = waited.length === 0 ? null : toolKnowledge(service, await service.store.decisionState())
  const asked = await askedFor(service, run)
  const requirements = waited.map((requirement) => {
    const approval = requirement.approval === null ? undefined : asked.get(requirement.approval)
    return {
      ...requirementViewOf(requirement),
      approval: approval === undefined || tools === null ? null : approvalSummaryOf(service, tools, approval),
      isAnswered: approval?.status !== "pending",
    }
  })
  const text = isRefused(runs) ? "" : await inTurn(service.runReads, who, pageOf(run), () => runs.textOf(run))
  return isRefused(text) ? text : { run: runViewOf(service, run), requirements, text }
}

/** The approvals of a paused run, by id. The newest calls of a run are listed without their arguments; only older ones are read whole. */
async function askedFor(service: ApiService, run: AgentRun): Promise<ReadonlyMap<string, ApprovalSummary>> {
  const wanted = new Set(shownRequirements(run).flatMap(({ approval }) => approval ?? []))
  if (wanted.size === 0) return new Map()
  const { principal, id: session } = run
  const newest = await service.store.approvals({ principal, session, limit: mostRequirements })
  const found = new Map(newest.flatMap((each) => (wanted.has(each.id) ? [[each.id, each]] : [])))
  for (const id of wanted) {
    const older = found.has(id) ? undefined : await service.gate.approval(id)
    if (older !== undefined) found.set(id, summaryOf(older))
  }
  return found
}

export const runStory: Handler<"runStory"> = async (service, { params, query, who }) => {
  const run = await runSummaryFor(service, who, params.id)
  if (isRefused(run)) return run
  const runs = runsOf(service)
  return isRefused(runs) ? runs : inTurn(service.runReads, who, pageOf(run), () => runs.story(run.id, query.after))
}

export const cancelRun: Handler<"cancelRun"> = async (service, { params, who }) => {
  const run = await runSummaryFor(service, who, params.id)
  if (isRefused(run)) return run
  const runs = runsOf(service)
  if (isRefused(runs)) return runs
  const cancelled = await runs.cancel(run.id, starterOf(who).id)
  return cancelled.ok ? runViewOf(service, cancelled.run) : runsRefused(cancelled.refusal)
}

export const stopRun: Handler<"stopRun"> = async (service, { params, who }) => {
  const run = await runSummaryFor(service, who, params.id)
  if (isRefused(run)) return run
  const runs = runsOf(service)
  if (isRefused(runs)) return runs
  const stopped = await runs.stop(run.id, starterOf(who).id)
  return stopped.ok ? null : runsRefused(stopped.refusal)
}

export const runPicture: Handler<"runPicture"> = async (service, { params, who }) => {
  const run = await runSummaryFor(service, who, params.id)
  if (isRefused(run)) return run
  const runs = runsOf(service)
  if (isRefused(runs)) return runs
  const picture = () => runs.picture(run.id, Number(params.seq), Number(params.nth))
  return (await inTurn(service.runReads, who, pageOf(run), picture)) ?? notFound()
}

export const renameRun: Handler<"renameRun"> = async (service, { params, body, who }) => {
  const run = await runSummaryFor(service, who, params.id)
  if (isRefused(run)) return run
  const runs = runsOf(service)
  if (isRefused(runs)) return runs
  const renamed = await runs.rename(run.id, body.title, starterOf(who).id)
  return renamed.ok ? null : runsRefused(renamed.refusal)
}

export const listModels: Handler<"listModels"> = async (service) => {
  const runs = runsOf(service)
  return isRefused(runs) ? runs : { items: runs.models() }
}

/** The run's story is removed for good, so a person must be present, or the program that started the run must ask. */
export const removeRun: Handler<"removeRun"> = async (service, { params, who }) => {
  const run = await runSummaryFor(service, who, params.id)
  if (isRefused(run)) return run
  const absent = who.kind === "reviewer" ? needPresence(who) : null
  if (absent !== null) return absent
  const runs = runsOf(service)
  if (isRefused(runs)) return runs
  return (await runs.remove(run.id, starterOf(who).id)) ? null : notFound()
}
