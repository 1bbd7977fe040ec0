import type { ApprovalView, Client } from "@byleave/api"
import { Refused } from "./desk.ts"

const pageSize = 500
const mostPages = 40

/** Every call with one of these statuses, oldest first: what has waited longest comes first. */
export async function callsWith(client: Client, statuses: string): Promise<readonly ApprovalView[]> {
  const all: ApprovalView[] = []
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

/** What the service answered, or its refusal as a sentence. */
export function answerOf<Value>(
  reply:
    | { readonly ok: true; readonly value: Value }
    | { readonly ok: false; readonly problem: { readonly detail: string } },
): Value {
  if (reply.ok) return reply.value
  throw new Refused(1, reply.problem.detail)
}
