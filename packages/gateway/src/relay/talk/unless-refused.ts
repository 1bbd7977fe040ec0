import { textAt } from "@byleave/core"
import type { Caller } from "../../wire/caller.ts"
import type { Notice } from "../../wire/message.ts"
import { serverMethods } from "../../wire/methods/server-methods.ts"
import { createWaitingNotices, type SeenNotice, type WaitingNotices } from "../../wire/methods/waiting-notices.ts"
import type { ServerRelay } from "../server-relay.ts"
import { mayHearOfTask } from "../tasks/refused-task.ts"

type Where = Pick<ServerRelay, "context" | "server">

const rows = serverMethods.filter(({ form, judgedAs }) => form === "notification" && judgedAs?.includes("elicitation"))
const taskStatus = "notifications/tasks/status"
const elicitationNotices: ReadonlySet<string> = new Set(rows.map(({ method }) => method))

/** Whether policy is asked before a client is told it: that an elicitation is over, or how a task stands. */
export function isJudged({ method }: Notice): boolean {
  return elicitationNotices.has(method) || method === taskStatus
}

/** Whether policy lets the server ask the client anything, or the client know of the task, which has the name by which the client knows it. */
export async function unlessRefused(relay: Where, caller: Caller, notice: Notice): Promise<SeenNotice> {
  const { method, params } = notice
  if (elicitationNotices.has(method)) return (await mayHearOfElicitation(relay, caller)) ? notice : null
  if (method !== taskStatus) return notice
  return (await mayHearOfTask(relay, caller, textAt(params, "taskId") ?? "")) ? notice : null
}

/** Told during a request of this client, each once policy was asked. */
export function tellingUnlessRefused(relay: Where, caller: Caller, tell: (notice: Notice) => void): WaitingNotices {
  return createWaitingNotices({
    passes: (notice) => !isJudged(notice),
    look: (notice) => unlessRefused(relay, caller, notice),
    tell,
    log: (words) => relay.context.log(`${relay.server.id}: ${words}`),
  })
}

async function mayHearOfElicitation({ context, server }: Where, caller: Caller): Promise<boolean> {
  const target = { server: server.id, kind: "elicitation", name: "elicitation" } as const
  const effect = await context.visibility.effect(target, caller)
  return effect !== "hide" && effect !== "deny"
}
