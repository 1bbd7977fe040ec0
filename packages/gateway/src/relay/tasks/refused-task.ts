/** Whether policy keeps a task from an agent, a server's or one of ours: by the rules about the tool whose call made it. */
import { taskNotFound } from "../../hold/tasks.ts"
import type { Caller } from "../../wire/caller.ts"
import { errorReply } from "../../wire/errors.ts"
import type { Reply } from "../../wire/message.ts"
import type { ServerRelay } from "../server-relay.ts"
import { openTask, type SealedTask } from "./server-tasks.ts"

type Where = Pick<ServerRelay, "context" | "server">

/** The policy's current refusal of the tool whose call made the task; null: none. Without arguments, only rules for all arguments are judged. */
export async function refusalOfTask(
  { context, server }: Where,
  caller: Caller,
  { tool }: Pick<SealedTask, "tool">,
): Promise<Reply | null> {
  if (tool === undefined) return null
  const target = { server: server.id, kind: "tool", name: tool } as const
  const { effect, because } = await context.gate.judge(target, undefined, caller)
  if (effect === "hide") return taskNotFound
  if (effect !== "deny" || because.kind === "default" || because.kind === "mode") return null
  return errorReply(403, `Policy denies this agent ${server.id}(${tool}), and so what became of its calls.`)
}

/** The same for what a server tells unasked, by the name that the client has for the task. Most often it is remembered, so that what follows is told in its order. */
export async function mayHearOfTask(relay: Where, caller: Caller, name: string): Promise<boolean> {
  const task = openTask(relay.context, name, caller.principal.id)
  if (task === null) return false
  const target = { server: relay.server.id, kind: "tool", name: task.tool ?? "" } as const
  const effect = await relay.context.visibility.effect(target, caller)
  return (effect !== "hide" && effect !== "deny") || (await refusalOfTask(relay, caller, task)) === null
}
