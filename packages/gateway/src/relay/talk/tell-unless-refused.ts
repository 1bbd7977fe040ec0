import { textAt } from "@byleave/core"
import type { Caller } from "../../wire/caller.ts"
import type { Notice } from "../../wire/message.ts"
import { serverMethods } from "../../wire/methods/server-methods.ts"
import type { ServerRelay } from "../server-relay.ts"
import { mayHearOfTask } from "../tasks/refused-task.ts"

type Where = Pick<ServerRelay, "context" | "server">

const rows = serverMethods.filter(({ form, judgedAs }) => form === "notification" && judgedAs?.includes("elicitation"))
const elicitationNotices: ReadonlySet<string> = new Set(rows.map(({ method }) => method))

/**
 * Tells a client that an elicitation is over, unless policy keeps the server from asking it anything, and how a task stands, unless policy keeps the task
 * from it; all other notices are told as they are. A task has the name by which the client knows it.
 */
export function tellUnlessRefused(relay: Where, caller: Caller, notice: Notice, tell: (notice: Notice) => void): void {
  const may = isAllowed(relay, caller, notice)
  if (may === true) tell(notice)
  else
    may.then(
      (mayTell) => {
        if (mayTell) tell(notice)
      },
      () => relay.context.log(`${relay.server.id}: something it told is kept back.`),
    )
}

function isAllowed(relay: Where, caller: Caller, { method, params }: Notice): true | Promise<boolean> {
  if (elicitationNotices.has(method)) return mayHearOfElicitation(relay, caller)
  if (method === "notifications/tasks/status") return mayHearOfTask(relay, caller, textAt(params, "taskId") ?? "")
  return true
}

async function mayHearOfElicitation({ context, server }: Where, caller: Caller): Promise<boolean> {
  const target = { server: server.id, kind: "elicitation", name: "elicitation" } as const
  const effect = await context.visibility.effect(target, caller)
  return effect !== "hide" && effect !== "deny"
}
