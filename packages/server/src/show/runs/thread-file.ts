/**
 * A thread as a file: JSON for programs, with a block per request for approval, and Markdown for people.
 *
 * I1. Every text in it has passed the redactor.
 * I2. A call that somebody was asked about is a block of its own, with how it stands, who decided, where and when.
 */
import type { ApprovalSummaryView, RunView, ServerView, StoryItemView } from "@byleave/api"

export type ThreadContents = {
  readonly run: Pick<RunView, "id" | "title" | "model" | "servers" | "createdAt">
  /** Uncut. */
  readonly items: readonly StoryItemView[]
  /** By the model's ids of the calls. */
  readonly approvals: ReadonlyMap<string, ApprovalSummaryView>
  readonly servers: readonly ServerView[]
  readonly redact: (text: string) => string
}

type Answered = Extract<StoryItemView, { readonly kind: "answer" }>
type ToolCall = Answered["calls"][number]
type Ended = Extract<StoryItemView, { readonly kind: "outcome" }>

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

export function threadJson(thread: ThreadContents): string {
  const { run, redact } = thread
  const { id, title, model, servers, createdAt } = run
  const messages = messagesOf(thread, (item) => blocksOf(item, thread)).map(({ item, parts }) => ({
    id: `${item.seq}`,
    role: item.kind === "message" ? item.role : "assistant",
    at: item.at,
    ...(item.kind === "message" && item.role === "user" ? { text: item.text } : { blocks: parts }),
  }))
  const file = { version: 1, id, title, model, servers, createdAt, messages }
  return `${JSON.stringify(file, (_, value) => (typeof value === "string" ? redact(value) : value), 2)}\n`
}

export function threadMarkdown(thread: ThreadContents): string {
  const told = messagesOf(thread, (item) => partsOf(item, thread)).map(({ item, parts }) =>
    item.kind === "message" && item.role === "user"
      ? `## You\n\n${item.text}`
      : `## ${thread.run.model}\n\n${parts.join("\n\n")}`,
  )
  return thread.redact(`${[`# ${thread.run.title}`, ...told].join("\n\n")}\n`)
}

type Message<Part> = { readonly item: StoryItemView; readonly parts: Part[] }

/** The user's messages, and between two of them one of the model with everything it said and did. */
function messagesOf<Part>(
  { items }: ThreadContents,
  partsIn: (item: StoryItemView) => readonly Part[],
): readonly Message<Part>[] {
  const messages: Message<Part>[] = []
  for (const item of items) {
    const isUser = item.kind === "message" && item.role === "user"
    const parts = partsIn(item)
    if (!isUser && parts.length === 0) continue
    const last = messages.at(-1)
    const isReply = last !== undefined && !(last.item.kind === "message" && last.item.role === "user")
    if (!isUser && isReply) last.parts.push(...parts)
    else messages.push({ item, parts: [...parts] })
  }
  return messages
}

function blocksOf(item: StoryItemView, thread: ThreadContents): readonly object[] {
  if (item.kind === "message") return item.role === "user" ? [] : [{ type: "text", content: item.text }]
  if (item.kind !== "answer") return []
  return [
    ...(item.reasoning === "" ? [] : [{ type: "reasoning", content: item.reasoning }]),
    ...(item.text === "" ? [] : [{ type: "text", content: item.text }]),
    ...item.calls.map((call) => callBlock(call, thread)),
  ]
}

function callBlock(call: ToolCall, thread: ThreadContents): object {
  const approval = thread.approvals.get(call.toolCall)
  const ended = outcomeOf(call, thread)
  const outcome = ended === undefined ? null : { kind: ended.outcome, text: ended.text }
  const { toolCall: id, name, argsText: params } = call
  if (approval === undefined) return { type: "tool_call", tool_call: { id, name, params }, outcome }
  const { server, tool } = approval.tool
  const known = thread.servers.find((each) => each.id === server)
  const status = blockStatus[approval.status]
  return {
    type: "tool_call_permission",
    content: approval.why,
    status,
    timestamp: approval.createdAt,
    tool_call: {
      ...{ id, name, params },
      server_name: server,
      server_icons: known?.tools.find((each) => each.name === tool)?.definition?.icon ?? "",
      server_description: known === undefined ? "" : `${known.transport}: ${known.target}`,
    },
    extra: {
      permissionType: approval.access,
      serverName: server,
      toolName: tool,
      needsUserAction: approval.status === "pending",
      ...(status === "granted" ? { grantedPermissions: [approval.access] } : {}),
    },
    /** Under this id the approval stands in the audit trail. */
    approval: { id: approval.id, status: approval.status, votes: approval.votes.map(voteOf) },
    outcome,
  }
}

function voteOf({ reviewer, kind, at, face, reason }: ApprovalSummaryView["votes"][number]): object {
  return {
    by: reviewer,
    kind,
    at,
    ...(face === undefined ? {} : { face }),
    ...(reason === undefined ? {} : { reason }),
  }
}

function outcomeOf({ toolCall }: ToolCall, { items }: ThreadContents): Ended | undefined {
  return items.findLast((item): item is Ended => item.kind === "outcome" && item.toolCall === toolCall)
}

function partsOf(item: StoryItemView, thread: ThreadContents): readonly string[] {
  if (item.kind === "message") return item.role === "user" || item.text === "" ? [] : [item.text]
  if (item.kind !== "answer") return []
  return [...(item.text === "" ? [] : [item.text]), ...item.calls.map((call) => callText(call, thread))]
}

function callText(call: ToolCall, thread: ThreadContents): string {
  const approval = thread.approvals.get(call.toolCall)
  const ended = outcomeOf(call, thread)
  const became = approval === undefined ? "Ran without being asked about." : approvalWords(approval)
  const why = ended?.outcome === "refusal" && ended.text !== "" ? ` The model was told: ${oneLine(ended.text)}` : ""
  return `> **${call.name}** \`${oneLine(call.argsText).replaceAll("`", " ")}\`\n>\n> ${became}${why}`
}

const statusWords = {
  pending: "It waits for approval.",
  approved: "It was allowed and has not run yet.",
  running: "It was allowed and is running.",
  succeeded: "It ran.",
  failed: "It ran and failed.",
  unknown: "It was sent; it is not known whether it ran.",
  denied: "It was denied and did not run.",
  expired: "Nobody decided in time. It did not run.",
  cancelled: "It was withdrawn before it ran.",
  superseded: "The tool changed. It did not run.",
} as const satisfies Record<ApprovalSummaryView["status"], string>

function approvalWords({ status, votes }: ApprovalSummaryView): string {
  const said = votes.map(
    ({ reviewer, kind, face, at }) =>
      `${reviewer} ${kind === "approve" ? "allowed" : "denied"} it${face === undefined ? "" : ` (${face})`}, ${new Date(at).toISOString()}.`,
  )
  return [statusWords[status], ...said].join(" ")
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, 500)
}
