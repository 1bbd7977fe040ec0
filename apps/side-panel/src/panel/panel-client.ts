import type { Client, ServiceReply } from "@byleave/api"
import type { ServerManager } from "../standalone/manage-servers.ts"

/** The routes that the panel is drawn from: of a service, or of the engine in this document. */
export type PanelClient = Pick<
  Client,
  | "listRuns"
  | "getRun"
  | "runStory"
  | "runEvents"
  | "stopRun"
  | "renameRun"
  | "removeRun"
  | "listApprovals"
  | "getApproval"
  | "currentContent"
  | "giveVerdict"
  | "extendApproval"
  | "previewEdit"
  | "listGrants"
  | "revokeGrant"
  | "listServers"
  | "listSessions"
  | "listPins"
  | "acceptPin"
  | "listModels"
> & {
  readonly startRun: (...input: Parameters<Client["startRun"]>) => Promise<ServiceReply<{ readonly run_id: string }>>
  readonly continueRun: (...input: Parameters<Client["continueRun"]>) => Promise<ServiceReply<unknown>>
}

export type PanelEvent = { readonly type: string; readonly subject: string }

/** Where the panel's threads, calls and permissions come from. */
export type PanelBackend = {
  readonly kind: "standalone" | "paired"
  readonly client: PanelClient
  /** Null: its servers are managed elsewhere. */
  readonly servers: ServerManager | null
  /** Told of everything that changed. Returns how to stop. */
  readonly follow: (listener: (event: PanelEvent) => void) => () => void
  readonly connection: Connection
}

/** Whether a backend can be reached now. */
export type Connection = {
  readonly isConnected: () => boolean
  readonly follow: (listener: () => void) => () => void
}

class PanelProblem extends Error {
  override readonly name = "PanelProblem"
}

/** The value of a reply, or an error in its words. */
export async function answerIn<Value>(reply: Promise<ServiceReply<Value>>): Promise<Value> {
  const answer = await reply
  if (!answer.ok) throw new PanelProblem(answer.problem.detail)
  return answer.value
}
