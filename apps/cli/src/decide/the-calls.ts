import type { ApprovalSummaryView, Client } from "@byleave/api"
import { isRunPrincipal, shownName, toolName } from "@byleave/core"
import { sentenceLines } from "../terminal/paint.ts"
import { RefusedByService } from "./reviewer-client.ts"
import { findById } from "./short-id.ts"
import { answerOf } from "./waiting-calls.ts"

/** The calls people named, each once; for one that is not there, what became of it, and `only`: which ones can be named. */
export async function theCalls(
  client: Client,
  among: readonly ApprovalSummaryView[],
  written: readonly string[],
  only = "",
): Promise<readonly ApprovalSummaryView[]> {
  const calls = new Set<ApprovalSummaryView>()
  for (const word of written) {
    const found = findById(among, word, "call")
    if (!found.ok)
      throw new RefusedByService(1, [(await became(client, word)) ?? found.error, only].join(" ").trimEnd())
    calls.add(found.item)
  }
  return [...calls]
}

/** The status of a call that is not among those asked about; undefined if it is not known. */
async function became(client: Client, written: string): Promise<string | undefined> {
  const { items } = answerOf(await client.listApprovals({ query: { limit: 500 } }))
  const found = findById(items, written, "call")
  return found.ok ? `${shownName(toolName(found.item.tool))} (${found.item.id}) ${sayStatus(found.item)}` : undefined
}

function sayStatus(view: ApprovalSummaryView): string {
  switch (view.status) {
    case "pending":
      return "is still waiting: see byleave pending."
    case "approved":
      if (isRunPrincipal(view.principal.id))
        return `was approved by ${shownName(view.by)}; its agent run goes on once all its calls are decided.`
      return `was approved by ${shownName(view.by)} and runs when the agent repeats the call; byleave run-now runs it immediately.`
    case "running":
      return `was approved by ${shownName(view.approvedBy)} and is running.`
    case "succeeded":
      return `was approved by ${shownName(view.approvedBy)} and succeeded.`
    case "failed":
      return `was approved by ${shownName(view.approvedBy)} and failed. Run it again with byleave rerun.`
    case "unknown":
      return `was approved by ${shownName(view.approvedBy)}, but its outcome is unknown. Run it again with byleave rerun.`
    case "denied":
      return `was denied${view.by === null ? "" : ` by ${shownName(view.by)}`}.`
    case "expired":
      return "expired without a decision."
    case "cancelled":
      return `was withdrawn: ${sentenceLines(view.detail)}`
    case "superseded":
      return `did not run: ${sentenceLines(view.detail)}`
  }
}
