import type { ApprovalSummaryView, ApprovalView, Client } from "@byleave/api"
import { showText } from "@byleave/core"
import { RefusedByService } from "./reviewer-client.ts"

const pageSize = 500
const mostPages = 40

/** Every call with one of these statuses, without its arguments, oldest first: what has waited longest comes first. */
export async function callsWith(client: Client, statuses: string): Promise<readonly ApprovalSummaryView[]> {
  const all: ApprovalSummaryView[] = []
  let after: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const query = { status: statuses, limit: pageSize, ...(after === undefined ? {} : { after }) }
    const { items, next } = answerOf(await client.listApprovals({ query }))
    all.push(...items)
    if (next === null) break
    after = next
  }
  return all.reverse()
}

type Named = { readonly id: string }

/** These calls, each as it is by itself: what is shown before an answer, and what the answer is bound to. */
export async function wholeCalls(client: Client, named: readonly Named[]): Promise<readonly ApprovalView[]> {
  const calls: ApprovalView[] = []
  for (const { id } of named) {
    const view = answerOf(await client.getApproval({ params: { id } }))
    if (view.id !== id)
      throw new RefusedByService(1, `The service returned a different call than ${showText(id)}. Nothing was decided.`)
    calls.push(view)
  }
  return calls
}

type Told = { readonly detail: string; readonly code?: string; readonly problems?: readonly string[] }
type Answered<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: Told }

/** The service's answer, or its refusal as a sentence; `missing` is the sentence if the named thing is not there. */
export function answerOf<Value>(reply: Answered<Value>, missing?: string): Value {
  if (reply.ok) return reply.value
  const { detail, code, problems = [] } = reply.problem
  if (code === "not-found" && missing !== undefined) throw new RefusedByService(1, missing)
  // Of routes and bodies people at a terminal know nothing: what was wrong with them says more.
  throw new RefusedByService(1, code === "bad-request" && problems.length > 0 ? problems.join("\n") : detail)
}
