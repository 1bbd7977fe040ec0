/** Results of tools whose definition has changed, for agents who know the accepted one. */
import {
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
import type { SendApproved, Sending } from "../../hold/run-approved.ts"
import type { Reply } from "../../wire/message.ts"
import type { RequestRoute } from "../route.ts"
import { markTask } from "../tasks/server-tasks.ts"

/** Where a tool promises another structure than its caller was told of: whether the caller was promised one at all. */
export type OtherStructure = "promised" | "not-promised"

type Definitions = { readonly live: ToolDefinition; readonly offered: ToolDefinition }

/** Sends a call, and gives its result as `offered`, which its caller was told of, lets it be understood; of a task, once it has one. */
export function sendAsOffered(
  route: Pick<RequestRoute, "relay" | "connection">,
  send: SendApproved,
  definitions: Definitions,
): SendApproved {
  const other = otherStructure(definitions)
  if (other === null) return send
  return async (args, sending) => {
    const reply = await send(args, notingTask(route, sending, other))
    return reply.kind === "result" ? laterOrNow(route, reply.result, other) : reply
  }
}

/** A task that a legacy server made is given to its client, who may ask for its result, before the call is over. */
function notingTask(
  { connection }: Pick<RequestRoute, "connection">,
  sending: Sending,
  other: OtherStructure,
): Sending {
  const { onTask } = sending
  if (onTask === undefined) return sending
  return {
    ...sending,
    onTask: (result) => {
      noteLegacyTask(connection, result, other)
      onTask(result)
    },
  }
}

/** True: the result is such a task. */
function noteLegacyTask(connection: RequestRoute["connection"], result: JsonObject, other: OtherStructure): boolean {
  const name = textAt(objectAt(result, "task"), "taskId")
  if (name !== undefined) connection.otherStructures.set(name, other)
  return name !== undefined
}

function otherStructure({ live, offered }: Definitions): OtherStructure | null {
  const promised = memberAt(offered, "outputSchema")
  if (textOf(promised) === textOf(memberAt(live, "outputSchema"))) return null
  return promised === undefined ? "not-promised" : "promised"
}

function laterOrNow(
  { relay, connection }: Pick<RequestRoute, "relay" | "connection">,
  result: JsonObject,
  other: OtherStructure,
): Reply {
  if (result.resultType === "task") return { kind: "result", result: markTask(relay.context, result, other) }
  // Neither is a task of a legacy server a result yet, nor a question.
  if (noteLegacyTask(connection, result, other) || result.resultType === "input_required")
    return { kind: "result", result }
  return { kind: "result", result: withoutStructure(result, other) }
}

/**
 * A result without its structure, and that is said: nobody takes one structure for the other. A caller that was promised one gets an error,
 * since it waits for what does not come.
 */
export function withoutStructure(result: JsonObject, other: OtherStructure): JsonObject {
  if (other === "not-promised" && memberAt(result, "structuredContent") === undefined) return result
  const content = [{ type: "text", text: note }, ...(listAt(result, "content") ?? [])]
  const failed = other === "promised" ? { isError: true } : {}
  return { ...without(result, ["structuredContent"]), content, ...failed }
}

const note =
  "The definition of this tool has changed and nobody has accepted the change. The tool ran: do not repeat the call. Its structured result does not follow the schema you were given and was left out; what it said in words follows."

function textOf(schema: JsonValue | undefined): string | undefined {
  return schema === undefined ? undefined : canonicalJson(schema)
}
