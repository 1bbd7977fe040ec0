/** A thread as a file: JSON for programs, with a block per request for approval, and Markdown for people. */
import type { ApprovalSummaryView, RunView } from "@byleave/api"
import { statusWords } from "../../card/head/status-words.ts"
import type { TurnCall } from "../../run/story-turns.ts"
import { withAttachments } from "../composer/attachments.ts"
import type { ChatMessage, ChatPart } from "../messages/chat-messages.ts"

export type ExportedThread = {
  readonly run: Pick<RunView, "id" | "title" | "model" | "servers" | "createdAt">
  readonly messages: readonly ChatMessage[]
  readonly approvals: ReadonlyMap<string, ApprovalSummaryView>
}

/** How a request stands in the words of chats that know three states. */
const blockStatus = {
  pending: "pending",
  approved: "granted",
  running: "granted",
  succeeded: "granted",
  failed: "granted",
  unknown: "granted",
  denied: "denied",
  expired: "denied",
  cancelled: "denied",
  superseded: "denied",
} as const satisfies Record<ApprovalSummaryView["status"], "pending" | "granted" | "denied">

export function threadAsJson({ run, messages, approvals }: ExportedThread): string {
  const { id, title, model, servers, createdAt } = run
  const told = messages.map((message) =>
    message.kind === "user"
      ? { id: message.key, role: "user", at: message.at, text: message.text, files: message.files }
      : {
          id: message.key,
          role: "assistant",
          at: message.at,
          blocks: message.parts.map((part) => blockOf(part, approvals)),
        },
  )
  return `${JSON.stringify({ version: 1, id, title, model, servers, createdAt, messages: told }, null, 2)}\n`
}

function blockOf(part: ChatPart, approvals: ExportedThread["approvals"]): object {
  if (part.kind !== "call") return { type: part.kind, content: part.text }
  const { call } = part
  const approval = approvals.get(call.toolCall)
  const outcome = call.outcome === null ? null : { kind: call.outcome.kind, text: call.outcome.text }
  if (approval === undefined) return { type: "tool_call", tool_call: { ...toolCallOf(call), outcome } }
  return { ...permissionBlock(call, approval), outcome }
}

function permissionBlock(call: TurnCall, approval: ApprovalSummaryView): object {
  const { server, tool } = approval.tool
  const status = blockStatus[approval.status]
  return {
    type: "tool_call_permission",
    content: approval.why,
    status,
    timestamp: approval.createdAt,
    tool_call: { ...toolCallOf(call), server_name: server },
    extra: {
      permissionType: approval.access,
      serverName: server,
      toolName: tool,
      needsUserAction: approval.status === "pending",
      ...(status === "granted" ? { grantedPermissions: [approval.access] } : {}),
    },
    /** Under this id the approval stands in the audit trail, with who decided and when. */
    approval: { id: approval.id, status: approval.status },
  }
}

function toolCallOf({ toolCall, name, argsText }: TurnCall): object {
  return { id: toolCall, name, params: argsText }
}

export function threadAsMarkdown({ run, messages, approvals }: ExportedThread): string {
  const told = messages.map((message) =>
    message.kind === "user"
      ? `## You\n\n${withAttachments(message.text, message.files)}`
      : `## ${run.model}\n\n${message.parts.flatMap((part) => partText(part, approvals)).join("\n\n")}`,
  )
  return `${[`# ${run.title}`, ...told].join("\n\n")}\n`
}

function partText(part: ChatPart, approvals: ExportedThread["approvals"]): readonly string[] {
  if (part.kind === "reasoning") return []
  if (part.kind === "text") return [part.text]
  const { call } = part
  const approval = approvals.get(call.toolCall)
  const became =
    approval === undefined ? "Ran without being asked about." : (statusWords(approval)?.sentence ?? "Waits.")
  return [`> **${call.name}** ${oneLine(call.argsText)}\n>\n> ${became}`]
}

function oneLine(text: string): string {
  return `\`${text.replaceAll(/[`\n]/g, " ").slice(0, 500)}\``
}
