import type { ApprovalSummaryView, ServerView } from "@byleave/api"
import { type AgentRun, runSession, stepsInTurns } from "@byleave/core"
import { type RunCaller, runFor } from "../../guard/run-caller.ts"
import { inTurn } from "../../guard/run-reads.ts"
import { isRefused } from "../../refused.ts"
import type { ApiService } from "../../service.ts"
import { approvalSummaryOf } from "../../show/approval-view-of.ts"
import { runViewOf } from "../../show/runs/run-view-of.ts"
import { threadJson, threadMarkdown } from "../../show/runs/thread-file.ts"
import { toolKnowledge } from "../../show/tool-knowledge.ts"
import type { Handler } from "../handler.ts"
import { serverViews } from "../servers.ts"
import { runsOf } from "./runs-refused.ts"

export const saveThread: Handler<"saveThread"> = async (service, { params, query, who }) => {
  const run = await runFor(service, who, params.id)
  if (isRefused(run)) return run
  const runs = runsOf(service)
  if (isRefused(runs)) return runs
  return inTurn(service.runReads, who, run, async () => {
    const thread = {
      run: runViewOf(service, run),
      items: await runs.wholeStory(run.id),
      approvals: await approvalsOf(service, run),
      servers: await serversFor(service, who),
      redact: runs.redact,
    }
    const [steps, type] =
      query.as === "json" ? [threadJson(thread), "application/json"] : [threadMarkdown(thread), "text/markdown"]
    const pieces = await stepsInTurns(steps, service.turns)
    return new Response(new Blob([...pieces]), { headers: { "content-type": type } })
  })
}

/** Programs may not list the servers: to them, a thread does not tell their command lines and addresses. */
async function serversFor(service: ApiService, { kind }: RunCaller): Promise<readonly ServerView[]> {
  const views = await serverViews(service)
  return kind === "reviewer" ? views : views.map((view) => ({ ...view, target: "" }))
}

const atOnce = 500

/** All approvals of the run, by the model's ids of the calls. */
async function approvalsOf(service: ApiService, run: AgentRun): Promise<ReadonlyMap<string, ApprovalSummaryView>> {
  const { principal, id: session } = runSession(run)
  const tools = toolKnowledge(service, await service.store.decisionState())
  const found = new Map<string, ApprovalSummaryView>()
  let after: { readonly createdAt: number; readonly id: string } | undefined
  for (;;) {
    const page = await service.store.approvals({
      principal,
      session,
      ...(after === undefined ? {} : { after }),
      limit: atOnce,
    })
    for (const summary of page) {
      const view = approvalSummaryOf(service, tools, summary)
      if (view.run !== undefined) found.set(view.run.toolCall, view)
    }
    const last = page.at(-1)
    if (page.length < atOnce || last === undefined) return found
    after = { createdAt: last.createdAt, id: last.id }
  }
}
