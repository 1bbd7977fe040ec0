import type { ApprovalView } from "@byleave/api"
import { type Approval, shownName } from "@byleave/core"
import type { ApiService } from "../service.ts"

type Runs = Pick<ApiService, "runs" | "programServers">

/** Whether people can have a permit run now, and if not, why; nothing for what is no permit. */
export async function runNowOffer(service: Runs, approval: Approval): Promise<Pick<ApprovalView, "runNowOffer">> {
  if (approval.status !== "approved" || approval.caller !== null) return {}
  const why = service.runs?.whyNot(approval)
  return { runNowOffer: { why: why === undefined ? await notBehindUs(service, approval) : why } }
}

/** A server of a wrap is a child of the agent's client, and there with it. */
export async function notBehindUs({ programServers }: Runs, { tool: { server } }: Approval): Promise<string> {
  const isWrapped = (await programServers.list()).some(({ id }) => id === server)
  return isWrapped
    ? `${shownName(server)} runs inside the agent's own client, by byleave wrap, so the call can only run there: when the agent makes it again.`
    : `${shownName(server)} is not among the servers of this service any more.`
}
