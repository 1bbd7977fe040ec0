import { type AgentRun, asObject, type JsonValue, listAt, memberAt, objectAt, textAt } from "@byleave/core"
import { type ModelMessage, readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai"
import { requestsIn } from "./follow-run.ts"
import type { FrontPorts } from "./front-ports.ts"
import { answerChunks, chunksOfMessages } from "./leg-chunks.ts"
import { approvalsOfRun, type RunApprovals } from "./run-approvals.ts"
import { readTurns, type Turn } from "./run-turns.ts"

/** The messages of a run so far, for a page that loads now: approvals in their current state, and nothing of a leg under way, which its stream tells. */
export async function uiMessagesOf(
  ports: Pick<FrontPorts, "gate" | "store">,
  run: AgentRun,
): Promise<readonly UIMessage[]> {
  const approvals = await approvalsOfRun(ports, run)
  const turns = await readTurns(ports.gate, run.id)
  const messages: UIMessage[] = []
  for (const turn of turns) {
    turn.input.forEach((message, at) => void messages.push(userMessage(turn, message, at)))
    const legs = turn.legs.filter(({ ended }) => ended || run.status !== "running")
    const said = await assistantMessage(run.id, { ...turn, legs }, approvals)
    if (said !== null) messages.push(said)
  }
  return messages
}

function userMessage({ id }: Turn, { content }: ModelMessage, at: number): UIMessage {
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content
  return {
    id: `${id}-user${at === 0 ? "" : at + 1}`,
    role: "user",
    parts: parts.flatMap((part): UIMessage["parts"] => {
      if (part.type === "text") return [{ type: "text", text: part.text }]
      if (part.type !== "file" || typeof part.data !== "string") return []
      return [{ type: "file", mediaType: part.mediaType, url: fileUrl(part.data, part.mediaType) }]
    }),
  }
}

function fileUrl(data: string, mediaType: string): string {
  return data.startsWith("data:") ? data : `data:${mediaType};base64,${data}`
}

async function assistantMessage(run: string, turn: Turn, approvals: RunApprovals): Promise<UIMessage | null> {
  const told = new Set<string>()
  const chunks = turn.legs.flatMap(({ messages }): readonly UIMessageChunk[] => {
    const answers = answerChunks(requestsIn(messages), approvals, told).map(({ chunk }) => chunk)
    return [...chunksOfMessages(messages, approvals), ...answers]
  })
  if (chunks.length === 0) return null
  return foldedChunks([startChunk(run, turn.id), ...chunks])
}

export function startChunk(run: string, messageId: string): UIMessageChunk {
  return { type: "start", messageId, messageMetadata: { runId: run } }
}

async function foldedChunks(chunks: readonly UIMessageChunk[]): Promise<UIMessage | null> {
  const stream = new ReadableStream<UIMessageChunk>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  let last: UIMessage | null = null
  for await (const message of readUIMessageStream({ stream, terminateOnError: true })) last = message
  return last
}

/** An answer as runs take it. */
export type RequirementDecision = {
  readonly requirement_id: string
  readonly execute: boolean
  readonly rejection_reason?: string
}

/** The answers that a page's messages carry: `addToolApprovalResponse` leaves them in the parts that asked. */
export function decisionsIn(messages: readonly JsonValue[]): readonly RequirementDecision[] {
  return messages.flatMap((message) => {
    const said = asObject(message)
    if (textAt(said, "role") !== "assistant") return []
    return (listAt(said, "parts") ?? []).flatMap((part) => {
      const tool = asObject(part)
      const approval = objectAt(tool, "approval")
      const id = textAt(approval, "id")
      const approved = memberAt(approval, "approved")
      if (textAt(tool, "state") !== "approval-responded" || id === undefined || typeof approved !== "boolean") return []
      const reason = textAt(approval, "reason")
      const why = approved || reason === undefined ? {} : { rejection_reason: reason }
      return [{ requirement_id: id, execute: approved, ...why }]
    })
  })
}
