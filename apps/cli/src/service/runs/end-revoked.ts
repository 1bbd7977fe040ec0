import type { AgentRun, RunGate } from "@byleave/core"

/** How a run stands towards the token that started it. */
export type RevokedRun = Pick<AgentRun, "id" | "startedBy" | "createdAt">

type EndRevokedPorts = {
  readonly gate: Pick<RunGate, "runs">
  /** Cancels the run where its token was revoked. */
  readonly endRevoked: (run: RevokedRun) => Promise<unknown>
}

const pageSize = 100

/** Ends the running and paused runs of a token that no longer exists, a page at a time. */
export async function endRevokedRuns({ gate, endRevoked }: EndRevokedPorts, token: string): Promise<void> {
  const query = { startedBy: { kind: "runner", id: token }, statuses: ["running", "paused"], limit: pageSize } as const
  let after: RevokedRun | undefined
  for (;;) {
    const page: readonly RevokedRun[] = await gate.runs({ ...query, ...(after === undefined ? {} : { after }) })
    for (const run of page) await endRevoked(run)
    after = page.at(-1)
    if (after === undefined || page.length < pageSize) return
  }
}
