import { summaryOf } from "@byleave/core"
import { runFor, starterOf } from "../../guard/run-caller.ts"
import { needPresence } from "../../guard/who-asks.ts"
import { isRefused, notFound } from "../../refused.ts"
import { approvalSummaryOf } from "../../show/approval-view-of.ts"
import { requirementViewOf, runViewOf } from "../../show/run-view-of.ts"
import { toolKnowledge } from "../../show/tool-knowledge.ts"
import type { Handler } from "../handler.ts"
import { approvalCursor, readCursor, writeCursor } from "../history/cursor.ts"
import { runsOf, runsRefused } from "./runs-refused.ts"

export const listRuns: Handler<"listRuns"> = async (service, { query, who }) => {
  const { status, after, limit } = query
  const place = after === undefined ? undefined : readCursor(approvalCursor, after)
  if (isRefused(place)) return place
  const found = await service.gate.runs({
    ...(who.kind === "runner" ? { startedBy: starterOf(who) } : {}),
    ...(status === undefined ? {} : { statuses: status }),
    ...(place === undefined ? {} : { after: { createdAt: place[0], id: place[1] } }),
    limit,
  })
  const last = found.at(-1)
  const next = found.length < limit || last === undefined ? null : writeCursor([last.createdAt, last.id])
  return { items: found.map(runViewOf), next }
}

export const getRun: Handler<"getRun"> = async (service, { params, who }) => {
  const run = await runFor(service, who, params.id)
  if (isRefused(run)) return run
  const runs = runsOf(service)
  const waited = run.status === "paused" ? run.requirements : []
  const tools = waited.length === 0 ? null : toolKnowledge(service, await service.store.decisionState())
  const requirements = []
  for (const requirement of waited) {
    const approval = requirement.approval === null ? undefined : await service.gate.approval(requirement.approval)
    requirements.push({
      ...requirementViewOf(requirement),
      approval:
        approval === undefined || tools === null ? null : approvalSummaryOf(service, tools, summaryOf(approval)),
      isAnswered: approval?.status !== "pending",
    })
  }
  return { run: runViewOf(run), requirements, text: isRefused(runs) ? "" : await runs.textOf(run) }
}

export const runStory: Handler<"runStory"> = async (service, { params, query, who }) => {
  const run = await runFor(service, who, params.id)
  if (isRefused(run)) return run
  const runs = runsOf(service)
  return isRefused(runs) ? runs : runs.story(run.id, query.after)
}

export const cancelRun: Handler<"cancelRun"> = async (service, { params, who }) => {
  const run = await runFor(service, who, params.id)
  if (isRefused(run)) return run
  const runs = runsOf(service)
  if (isRefused(runs)) return runs
  const cancelled = await runs.cancel(run.id, starterOf(who).id)
  return cancelled.ok ? runViewOf(cancelled.run) : runsRefused(cancelled.refusal)
}

/** What was said and done in it goes for good, so a person must be there, or the program that started it ask. */
export const removeRun: Handler<"removeRun"> = async (service, { params, who }) => {
  const run = await runFor(service, who, params.id)
  if (isRefused(run)) return run
  const absent = who.kind === "reviewer" ? needPresence(who) : null
  if (absent !== null) return absent
  const runs = runsOf(service)
  if (isRefused(runs)) return runs
  return (await runs.remove(run.id, starterOf(who).id)) ? null : notFound()
}
