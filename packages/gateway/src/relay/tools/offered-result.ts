/**
 * Results of tools whose definition has changed, for agents who know the accepted one.
 *
 * I1. Where the structure is another than its caller was told of, it reaches no agent: not in a result, and not in that of a task, whoever asks for it, over
 *     which connection, and whenever. The name of the task says so.
 */
import {
  type Call,
  canonicalJson,
  type JsonObject,
  type JsonValue,
  listAt,
  memberAt,
  objectAt,
  type ToolDefinition,
  textAt,
  without,
} from "@byleave/core"
import type { HoldContext } from "../../hold/context.ts"
import type { SendApproved, Sending } from "../../hold/run-approved.ts"
import { openTask } from "../tasks/server-tasks.ts"
import { type RequestShape, type SendingRoute, sender } from "./send-approved.ts"

/** Where a tool promises another structure than its caller was told of: whether the caller was promised one at all. */
export type OtherStructure = "promised" | "not-promised"

/** Sends a call, and gives its result as `offered`, which its caller was told of, lets it be understood; of a task, once it has one. */
export function sendAsOffered(
  route: SendingRoute,
  call: Call,
  shape: RequestShape & { readonly tool: ToolDefinition },
  offered: ToolDefinition,
): SendApproved {
  const other = offered === shape.tool ? null : otherStructure(shape.tool, offered)
  if (other === null) return sender(route, call, shape)
  const send = sender(route, call, { ...shape, other })
  return async (args, sending) => {
    const reply = await send(args, withPlainTask(sending))
    if (reply.kind === "error") return reply
    return { kind: "result", result: resultAsOffered(route.relay.context, call, reply.result, other) }
  }
}

/** A task that a legacy server made is given to its client before the call is over. */
function withPlainTask(sending: Sending): Sending {
  const { onTask } = sending
  return onTask === undefined ? sending : { ...sending, onTask: (result) => onTask(withoutMember(result)) }
}

export function otherStructure(live: ToolDefinition, offered: ToolDefinition): OtherStructure | null {
  const promised = memberAt(offered, "outputSchema")
  if (textOf(promised) === textOf(memberAt(live, "outputSchema"))) return null
  return promised === undefined ? "not-promised" : "promised"
}

export function resultAsOffered(
  context: Pick<HoldContext, "sealer">,
  { principal }: Pick<Call, "principal">,
  result: JsonObject,
  other: OtherStructure,
): JsonObject {
  // Neither a question nor a task is a result yet.
  if (result.resultType === "input_required") return result
  if (result.resultType === "task") return taskAsOffered(withoutMember(result), other)
  const task = openTask(context, textAt(objectAt(result, "task"), "taskId") ?? "", principal.id)
  return task === null ? withoutStructure(result, other) : withoutMember(result)
}

/** A modern task that is done has its result in it. */
export function taskAsOffered(task: JsonObject, other: OtherStructure | undefined): JsonObject {
  const result = objectAt(task, "result")
  return other === undefined || result === undefined ? task : { ...task, result: withoutStructure(result, other) }
}

/**
 * A result without its structure, and that is said: nobody takes one structure for the other. A caller that was promised one gets an error,
 * since it waits for what does not come.
 */
export function withoutStructure(result: JsonObject, other: OtherStructure): JsonObject {
  if (other === "not-promised" && memberAt(result, structure) === undefined) return result
  const content = [{ type: "text", text: note }, ...(listAt(result, "content") ?? [])]
  const failed = other === "promised" ? { isError: true } : {}
  return { ...withoutMember(result), content, ...failed }
}

const structure = "structuredContent"

function withoutMember(result: JsonObject): JsonObject {
  return without(result, [structure])
}

const note =
  "The definition of this tool has changed and nobody has accepted the change. The tool ran: do not repeat the call. Its structured result does not follow the schema you were given and was left out; what it said in words follows."

function textOf(schema: JsonValue | undefined): string | undefined {
  return schema === undefined ? undefined : canonicalJson(schema)
}
