/**
 * Tasks of servers, under names of ours.
 *
 * I1. The name of a server's task is useless to another principal.
 * I2. Nothing else that we sealed is the name of a task.
 */
import { type JsonObject, textAt } from "@byleave/core"
import type { HoldContext } from "../../hold/context.ts"
import { withOwn } from "../../wire/names/twin-names.ts"
import type { OtherStructure } from "../tools/offered-result.ts"

/**
 * `tool`: whose call made it. `at`: the conversation whose own process knows it, where that is so. `other`: its tool promises another structure than its
 * caller was told of.
 */
export type SealedTask = {
  readonly server: string
  readonly id: string
  readonly tool?: string
  readonly at?: string
  readonly other?: OtherStructure
}

export type TaskOwner = {
  readonly server: string
  readonly principal: string
  readonly tool: string
  readonly at?: string | undefined
  readonly other?: OtherStructure | undefined
}

/**
 * A server's own task travels under a name of ours: sealed with server and principal, so that it is useless to anyone else, and with how its result is to be
 * given, which holds for whoever asks for it.
 */
export function sealTask(context: Pick<HoldContext, "sealer">, owner: TaskOwner, task: JsonObject): JsonObject {
  const id = textAt(task, "taskId")
  if (id === undefined) return task
  const { server, principal, tool, at, other } = owner
  const known = {
    ...{ k: "task", server, principal, tool },
    ...(at === undefined ? {} : { at }),
    ...(other === undefined ? {} : { other }),
  }
  return withOwn(task, { taskId: context.sealer.seal({ ...known, id }) })
}

/** The server and its own name for the task; null when it is not this principal's, or no task of a server at all. */
export function openTask(context: Pick<HoldContext, "sealer">, sealed: string, principal: string): SealedTask | null {
  const opened = context.sealer.open(sealed)
  if (opened === null || opened.k !== "task" || opened.principal !== principal) return null
  const server = textAt(opened, "server")
  const id = textAt(opened, "id")
  if (server === undefined || id === undefined) return null
  const { other } = opened
  const tool = textAt(opened, "tool")
  const at = textAt(opened, "at")
  return {
    server,
    id,
    ...(tool === undefined ? {} : { tool }),
    ...(at === undefined ? {} : { at }),
    ...(other === "promised" || other === "not-promised" ? { other } : {}),
  }
}
