import type { JsonObject } from "@byleave/core"
import type { ModelMessage } from "ai"
import { outputText } from "./leg/leg-events.ts"
import { readLegs, type StoredLeg } from "./leg/stored-leg.ts"
import type { ResponsesWorld } from "./responses-world.ts"
import { callItemId, type LegRef, saidId } from "./wire/ids.ts"

/** The input of a response: its messages, or the answers that its leg began with. */
export async function inputItems({ gate }: ResponsesWorld, at: LegRef): Promise<readonly JsonObject[]> {
  const legs = await readLegs(gate, at.run)
  const leg = legs.get(at.leg)
  const given = (leg?.input() ?? []).flatMap((message) => itemsOf(message))
  const items = [...given, ...answersIn(at, leg, legs.get(at.leg - 1))]
  return items.map((item, nth) => ({ id: `in_${saidId("msg", at, 0, nth)}`, ...item }))
}

function itemsOf({ role, content }: ModelMessage): readonly JsonObject[] {
  if (typeof content === "string")
    return [{ type: "message", role, status: "completed", content: [textPart(role, content)] }]
  if (role === "user") return [{ type: "message", role, status: "completed", content: content.map(userPart) }]
  return content.flatMap((part): readonly JsonObject[] => {
    switch (part.type) {
      case "text":
        return [{ type: "message", role, status: "completed", content: [textPart(role, part.text)] }]
      case "tool-call": {
        const { toolCallId: call_id, toolName: name } = part
        return [{ type: "function_call", status: "completed", call_id, name, arguments: JSON.stringify(part.input) }]
      }
      case "tool-result": {
        const { toolCallId: call_id } = part
        return [{ type: "function_call_output", status: "completed", call_id, output: outputText(part.output) }]
      }
      default:
        return []
    }
  })
}

type UserPart = Exclude<Extract<ModelMessage, { role: "user" }>["content"], string>[number]

function userPart(part: UserPart): JsonObject {
  if (part.type === "text") return { type: "input_text", text: part.text }
  const { mediaType = "application/octet-stream" } = part
  const data = part.type === "file" && typeof part.data === "string" ? part.data : ""
  return mediaType.startsWith("image/")
    ? { type: "input_image", detail: "auto", image_url: `data:${mediaType};base64,${data}` }
    : { type: "input_file", file_data: `data:${mediaType};base64,${data}` }
}

function textPart(role: ModelMessage["role"], text: string): JsonObject {
  return role === "assistant" ? { type: "output_text", text, annotations: [] } : { type: "input_text", text }
}

function answersIn(at: LegRef, leg: StoredLeg | undefined, before: StoredLeg | undefined): readonly JsonObject[] {
  const asked = new Set(before?.asked.map(({ call }) => call))
  // Nothing is read again for a leg that nothing was asked before.
  if (asked.size === 0) return []
  const calls = new Map<string, string>()
  for (const { role, content } of before?.messages() ?? []) {
    if (role !== "assistant" || typeof content === "string") continue
    for (const part of content) if (part.type === "tool-approval-request") calls.set(part.approvalId, part.toolCallId)
  }
  return (leg?.messages() ?? []).flatMap(({ role, content }) => {
    if (role !== "tool") return []
    return content.flatMap((part) => {
      const call = part.type === "tool-approval-response" ? calls.get(part.approvalId) : undefined
      if (part.type !== "tool-approval-response" || call === undefined || !asked.has(call)) return []
      const { approved: approve, reason } = part
      const answer = { type: "mcp_approval_response", approval_request_id: callItemId("mcpr", at.run, call), approve }
      return [reason === undefined ? answer : { ...answer, reason }]
    })
  })
}
