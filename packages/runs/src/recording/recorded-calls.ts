import {
  asObject,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  memberAt,
  type Outcome,
  objectAt,
  type ToolRef,
  textAt,
} from "@byleave/core"
import type { Recording } from "./recording.ts"

/** A call of a recorded run, and what became of it. */
export type RecordedRunCall = {
  readonly toolCall: string
  /** The model's name for the tool. */
  readonly name: string
  /** Null: a function of the host program that was not gated. */
  readonly tool: ToolRef | null
  readonly args: JsonObject
  /** The arguments that ran, where a reviewer changed them. */
  readonly edited: JsonObject | null
  readonly decision: "allowed" | "denied" | "asked" | "ungated"
  readonly reason: string
  readonly outcome: Outcome | null
}

const decisions = new Map<JsonValue | undefined, RecordedRunCall["decision"]>([
  ["call.allowed", "allowed"],
  ["call.denied", "denied"],
  ["call.asked", "asked"],
  ["call.ungated", "ungated"],
])

/** All calls of a recorded run that were decided about, in the order of the decisions. */
export function recordedCalls({ legs }: Recording): readonly RecordedRunCall[] {
  const events = legs.flatMap((leg) => leg.events.map(({ event }) => event))
  const names = new Map<string, string>()
  const outcomes = new Map<string, Outcome>()
  const edits = new Map<string, JsonObject>()
  for (const event of events) {
    for (const part of (listAt(event, "parts") ?? []).filter(isObject)) {
      if (part.type === "tool-call") names.set(textAt(part, "toolCallId") ?? "", textAt(part, "toolName") ?? "")
    }
    const outcome = objectAt(event, "outcome")
    if (outcome !== undefined) outcomes.set(textAt(event, "tool_call") ?? "", { ...outcome, approval: null } as Outcome)
  }
  for (const { request } of legs) {
    for (const answer of answersOf(request)) if (answer.args !== undefined) edits.set(answer.toolCall, answer.args)
  }
  return events.flatMap((event) => {
    const decision = decisions.get(event.type)
    const toolCall = textAt(event, "tool_call")
    if (decision === undefined || toolCall === undefined) return []
    const [server, tool] = [textAt(objectAt(event, "tool"), "server"), textAt(objectAt(event, "tool"), "tool")]
    return {
      toolCall,
      name: names.get(toolCall) ?? textAt(event, "name") ?? "",
      tool: server === undefined || tool === undefined ? null : { server, tool },
      args: objectAt(event, "args") ?? {},
      edited: edits.get(toolCall) ?? null,
      decision,
      reason: textAt(event, "reason") ?? "",
      outcome: outcomes.get(toolCall) ?? null,
    }
  })
}

export type RecordedAnswer = {
  readonly toolCall: string
  readonly approve: boolean
  readonly reason?: string
  readonly args?: JsonObject
}

/** The answers to the calls that the leg before left waiting. */
export function answersOf(request: JsonObject): readonly RecordedAnswer[] {
  return (listAt(request, "answers") ?? []).flatMap((item) => {
    const answer = asObject(item)
    const toolCall = textAt(answer, "tool_call")
    if (toolCall === undefined) return []
    const [reason, args] = [textAt(answer, "reason"), objectAt(answer, "args")]
    return {
      toolCall,
      approve: memberAt(answer, "approve") === true,
      ...(reason === undefined ? {} : { reason }),
      ...(args === undefined ? {} : { args }),
    }
  })
}
