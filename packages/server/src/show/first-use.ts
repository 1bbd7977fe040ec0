/**
 * Warnings that a tool is used for the first time, as they stand when they are shown. Other warnings are found once, when a call is held; this one
 * ends with the first call of the tool that is approved, and that may be the one beside it.
 */
import { type Approval, type ApprovalStatus, type ApprovalSummary, firstUseRisks, type Risk } from "@byleave/core"
import type { ApiService } from "../service.ts"

type Caller = Pick<ApprovalSummary, "tool" | "principal">

const approved: readonly ApprovalStatus[] = ["approved", "running", "succeeded", "failed", "unknown"]
/** As long as an approval makes a tool known. */
const keptMs = 180 * 24 * 60 * 60_000
/** The tools of more calls are not looked up for one list: their warnings stay as they were found. */
const mostLookups = 20

export async function withFirstUseNow(service: ApiService, approval: Approval): Promise<Approval> {
  const { checked, status } = approval
  if (status !== "pending" || checked === undefined || !checked.risks.some(({ kind }) => isFirstUse(kind))) {
    return approval
  }
  const now = await firstUseNow(service, approval)
  const risks = checked.risks.flatMap((risk) => (isFirstUse(risk.kind) ? now : [risk]))
  return { ...approval, checked: { ...checked, risks } }
}

/** The same for a list. */
export async function listedWithFirstUseNow(
  service: ApiService,
  summaries: readonly ApprovalSummary[],
): Promise<readonly ApprovalSummary[]> {
  const warned = summaries.filter(({ status, risks }) => status === "pending" && risks?.kinds.some(isFirstUse))
  const callers = new Map(warned.map((call) => [keyOf(call), call]))
  const now = new Map<string, readonly Risk[]>()
  // At once: where the store is busy, each read waits for its turn.
  await Promise.all(
    [...callers].slice(0, mostLookups).map(async ([key, call]) => now.set(key, await firstUseNow(service, call))),
  )
  const isWarned = new Set(warned)
  return summaries.map((summary) => {
    const found = isWarned.has(summary) ? now.get(keyOf(summary)) : undefined
    if (found === undefined || summary.risks === null) return summary
    const kinds = [...found.map(({ kind }) => kind), ...summary.risks.kinds.filter((kind) => !isFirstUse(kind))]
    return { ...summary, risks: { count: summary.risks.count - 1 + found.length, kinds } }
  })
}

async function firstUseNow({ store, time }: ApiService, { tool, principal }: Caller): Promise<readonly Risk[]> {
  const query = { statuses: approved, server: tool.server, tool: tool.tool, createdSince: time() - keptMs, limit: 1 }
  const [own] = await store.approvals({ ...query, principal: principal.id })
  if (own !== undefined) return []
  const [other] = await store.approvals(query)
  return firstUseRisks(tool, other === undefined ? "nobody" : "others")
}

function keyOf({ tool, principal }: Caller): string {
  return JSON.stringify([tool.server, tool.tool, principal.id])
}

function isFirstUse(kind: Risk["kind"]): boolean {
  return kind === "first-use" || kind === "first-use-by-agent"
}
