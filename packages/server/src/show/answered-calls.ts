import { type Approval, type ApprovalSummary, type EpochMs, isReviewersAnswer, type Store } from "@byleave/core"
import type { AnsweredCall } from "@byleave/core/compare"
import type { ApiService } from "../service.ts"

/** How far back people's answers are looked at. */
const mostApprovals = 5_000
const longestAgo = 30 * 24 * 60 * 60_000
const pageSize = 500
/** No rule that a person would write comes of larger arguments. */
export const largestRead = 65_536

const answered = ["approved", "running", "succeeded", "failed", "unknown", "denied"] as const

/** Of all that is read; older answers are left out. */
const mostBytes = 16 * 1024 * 1024
/** So many approvals are read before others have their turn. */
const readsAtOnce = 50

type Reads = Pick<Store, "approval" | "approvals">

/** The held calls that people answered, the newest first, as far back as a rule may learn from. */
export async function answeredCalls({
  store,
  time,
  turns,
}: Pick<ApiService, "time" | "turns"> & { readonly store: Reads }): Promise<readonly AnsweredCall[]> {
  const calls: AnsweredCall[] = []
  let [reads, left] = [0, mostBytes]
  for await (const { id, bytes } of answeredSince(store, time() - longestAgo)) {
    if (bytes > largestRead) continue
    left -= bytes
    if (left < 0) break
    const approval = await store.approval(id)
    if (approval !== undefined) calls.push(...answeredCall(approval))
    reads += 1
    if (reads % readsAtOnce === 0) await turns.nextTurn()
  }
  return calls
}

async function* answeredSince(store: Reads, createdSince: EpochMs): AsyncGenerator<ApprovalSummary, void> {
  let last: ApprovalSummary | undefined
  for (let seen = 0; seen < mostApprovals; seen += pageSize) {
    const after = last === undefined ? {} : { after: { createdAt: last.createdAt, id: last.id } }
    const page = await store.approvals({ statuses: answered, createdSince, ...after, limit: pageSize })
    yield* page
    last = page.at(-1)
    if (page.length < pageSize) return
  }
}

/** Without votes, nobody answered: a grant released the call, or a rule refused it meanwhile. */
function answeredCall(approval: Approval): readonly AnsweredCall[] {
  const { id, kind, tool, principal, session, args, remember, votes, callDigest, runDigest, createdAt } = approval
  const vote = votes.at(-1)
  if (vote === undefined || kind !== "tool" || !isReviewersAnswer(vote.reviewer)) return []
  const answer = vote.kind === "approve" && callDigest !== runDigest ? "edited" : vote.kind
  const alone = vote.together !== true
  return [{ id, at: createdAt, tool, principal: principal.id, session: session.id, args, answer, remember, alone }]
}
