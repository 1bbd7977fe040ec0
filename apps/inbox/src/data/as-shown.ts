import type { ApprovalView } from "@byleave/api"
import { shownDigest } from "@byleave/api/page"

/** Names a call to act on, bound to what the page shows of it. */
export async function asShown(approval: ApprovalView) {
  return { params: { id: approval.id }, body: { digest: await shownDigest(approval) } }
}
