/**
 * A thread as a file: JSON for programs, with a block per request for approval, and Markdown for people.
 *
 * I1. Every text in it has passed the redactor, whole and as it was written, before anything is cut or replaced in it.
 * I2. A call that somebody was asked about is a block of its own, with how it stands, who decided, where and when.
 * I3. A model chooses how many calls there are: each step is about one call or message, and none looks through the others.
 * I4. In Markdown, what people and models wrote is quoted: no text of theirs can pass for a heading, or for what became of a call.
 */
import type { ApprovalSummaryView, RunView, ServerView, StoryItemView } from "@byleave/api"
import type { WorkSteps } from "@byleave/core"

export type ThreadContents = {
  readonly run: Pick<RunView, "id" | "title" | "model" | "servers" | "createdAt">
  /** Uncut. */
  readonly items: readonly StoryItemView[]
  /** By the model's ids of the calls. */
  readonly approvals: ReadonlyMap<string, ApprovalSummaryView>
  /** With an empty `target` where the reader may not know how they are reached. */
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

/** The file's bytes, in pieces. */
export type FilePieces = readonly Uint8Array<ArrayBuffer>[]

export function* threadJson(thread: ThreadContents): WorkSteps<FilePieces> {
  const { run, redact } = thread
  const { id, title, model, servers, createdAt } = run
  const written = (value: object, indent: string): string =>
    JSON.stringify(value, (_, inner) => (typeof inner === "string" ? redact(inner) : inner), 2).replaceAll(
      "\n",
      `\n${indent}`,
    )
  const file = createFile()
  file.add(`${withoutEnd(written({ version: 1, id, title, model, servers, createdAt }, ""))},\n  "messages": [`)
  const known = knownIn(thread)
  const messages = yield* messagesOf(thread, (item) => blocksOf(item, known))
  for (const [at, { item, parts }] of messages.entries()) {
    const isUser = item.kind === "message" && item.role === "user"
    const head = {
      id: `${item.seq}`,
      role: item.kind === "message" ? item.role : "assistant",
      at: item.at,
      ...(isUser ? { text: item.text } : {}),
    }
    file.add(`${at === 0 ? "" : ","}\n    ${withoutEnd(written(head, "    "))}`)
    for (const [nth, part] of isUser ? [] : parts.entries()) {
      file.add(`${nth === 0 ? ',\n      "blocks": [' : ","}\n        ${written(part, "        ")}`)
      yield
    }
    file.add(isUser ? "\n    }" : "\n      ]\n    }")
    yield
  }
  file.add(messages.length === 0 ? "]\n}\n" : "\n  ]\n}\n")
  return file.pieces()
}

/** An object's text, open for more members. */
function withoutEnd(text: string): string {
  return text.replace(/\n *\}$/, "")
}

export function* threadMarkdown(thread: ThreadContents): WorkSteps<FilePieces> {
  const file = createFile()
  const known = knownIn(thread)
  const { run, redact } = thread
  file.add(`# ${oneLine(redact(run.title))}`)
  for (const { item, parts } of yield* messagesOf(thread, (item) => partsOf(item))) {
    const isUser = item.kind === "message" && item.role === "user"
    file.add(`\n\n## ${isUser ? "You" : oneLine(redact(run.model))}`)
    for (const part of isUser ? [item.text] : parts) {
      file.add(`\n\n${typeof part === "string" ? quote(redact(part)) : callText(part, known, redact)}`)
      yield
    }
  }
  file.add("\n")
  return file.pieces()
}

const pieceLength = 65_536

/** Takes texts and encodes them a piece at a time: all of a long thread at once would take long. */
function createFile(): { readonly add: (text: string) => void; readonly pieces: () => FilePieces } {
  const encoder = new TextEncoder()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let held: string[] = []
  let length = 0
  const encode = (): void => {
    pieces.push(encoder.encode(held.join("")))
    held = []
    length = 0
  }
  return {
    add: (text) => {
      held.push(text)
      length += text.length
      if (length >= pieceLength) encode()
    },
    pieces: () => {
      encode()
      return pieces
    },
  }
}

type Message<Part> = { readonly item: StoryItemView; readonly parts: Part[] }

/** The user's messages, and between two of them one of the model with everything it said and did. */
function* messagesOf<Part>(
  { items }: ThreadContents,
  partsIn: (item: StoryItemView) => readonly Part[],
): WorkSteps<readonly Message<Part>[]> {
  const messages: Message<Part>[] = []
  for (const item of items) {
    yield
    const isUser = item.kind === "message" && item.role === "user"
    const parts = partsIn(item)
    if (!isUser && parts.length === 0) continue
    const last = messages.at(-1)
    const isReply = last !== undefined && !(last.item.kind === "message" && last.item.role === "user")
    if (!isUser && isReply) for (const part of parts) last.parts.push(part)
    else messages.push({ item, parts: [...parts] })
  }
  return messages
}

/** Facts about calls that stand elsewhere than in their messages. */
type Known = {
  readonly approvals: ThreadContents["approvals"]
  /** By the model's ids of the calls, the last one of each. */
  readonly outcomes: ReadonlyMap<string, Ended>
  readonly servers: ReadonlyMap<string, KnownServer>
}
type KnownServer = { readonly description: string; readonly icons: ReadonlyMap<string, string> }

function knownIn({ approvals, items, servers }: ThreadContents): Known {
  const outcomes = new Map<string, Ended>()
  for (const item of items) if (item.kind === "outcome") outcomes.set(item.toolCall, item)
  return {
    approvals,
    outcomes,
    servers: new Map(
      servers.map(({ id, transport, target, tools }) => [
        id,
        {
          description: target === "" ? transport : `${transport}: ${target}`,
          icons: new Map(tools.map(({ name, definition }) => [name, definition?.icon ?? ""])),
        },
      ]),
    ),
  }
}

function blocksOf(item: StoryItemView, known: Known): readonly object[] {
  if (item.kind === "message") return item.role === "user" ? [] : [{ type: "text", content: item.text }]
  if (item.kind !== "answer") return []
  return [
    ...(item.reasoning === "" ? [] : [{ type: "reasoning", content: item.reasoning }]),
    ...(item.text === "" ? [] : [{ type: "text", content: item.text }]),
    ...item.calls.map((call) => callBlock(call, known)),
  ]
}

function callBlock(call: ToolCall, { approvals, outcomes, servers }: Known): object {
  const approval = approvals.get(call.toolCall)
  const ended = outcomes.get(call.toolCall)
  const outcome = ended === undefined ? null : { kind: ended.outcome, text: ended.text }
  const { toolCall: id, name, argsText: params } = call
  if (approval === undefined) return { type: "tool_call", tool_call: { id, name, params }, outcome }
  const { server, tool } = approval.tool
  const known = servers.get(server)
  const status = blockStatus[approval.status]
  return {
    type: "tool_call_permission",
    content: approval.why,
    status,
    timestamp: approval.createdAt,
    tool_call: {
      ...{ id, name, params },
      server_name: server,
      server_icons: known?.icons.get(tool) ?? "",
      server_description: known?.description ?? "",
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

/** The texts of the model, and its calls. */
function partsOf(item: StoryItemView): readonly (string | ToolCall)[] {
  if (item.kind === "message") return item.role === "user" || item.text === "" ? [] : [item.text]
  if (item.kind !== "answer") return []
  return [...(item.text === "" ? [] : [item.text]), ...item.calls]
}

type Redact = ThreadContents["redact"]

function callText({ toolCall, name, argsText }: ToolCall, { approvals, outcomes }: Known, redact: Redact): string {
  const approval = approvals.get(toolCall)
  const ended = outcomes.get(toolCall)
  const became = approval === undefined ? unaskedWords[ended?.outcome ?? "none"] : approvalWords(approval, redact)
  const isTold = ended?.outcome === "refusal" && ended.text !== ""
  const why = isTold ? ` The model was told: ${code(redact(ended.text))}` : ""
  return `Call: ${code(redact(name))} ${code(redact(argsText))}\n\n${became}${why}`
}

/** Of a call that nobody was asked about: what became of it. */
const unaskedWords = {
  result: "It ran without approval.",
  error: "It ran without approval and failed.",
  unknown: "It was sent without approval; it is not known whether it ran.",
  refusal: "It was denied without asking anybody and did not run.",
  none: "It has no outcome yet.",
} as const satisfies Record<Ended["outcome"] | "none", string>

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

function approvalWords({ status, votes }: ApprovalSummaryView, redact: Redact): string {
  const said = votes.map(
    ({ reviewer, kind, face, at }) =>
      `${oneLine(redact(reviewer))} ${kind === "approve" ? "allowed" : "denied"} it${face === undefined ? "" : ` (${face})`}, ${new Date(at).toISOString()}.`,
  )
  return [statusWords[status], ...said].join(" ")
}

/** The ends of lines, also those that only some programs take for one. */
const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

function quote(text: string): string {
  return text
    .split(lineEnd)
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n")
}

function code(text: string): string {
  return `\`${oneLine(text).replaceAll("`", " ")}\``
}

const longestLine = 500

function oneLine(text: string): string {
  const line = text.replaceAll(/[\s\u0085]+/g, " ")
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line
}
