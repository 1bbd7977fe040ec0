/**
 * Makes a response's items and events of what happens in a leg.
 *
 * I1. The same leg gives the same items, live or read from the journal.
 * I2. Every item that is added is done before the response ends.
 */
import { callItemId, type LegRef, listId, saidId } from "../wire/ids.ts"
import type {
  McpCallItem,
  McpListToolsItem,
  MessageItem,
  OutputItem,
  OutputText,
  ReasoningItem,
  WireEvent,
} from "../wire/items.ts"
import type { LegEvent, StepUsage } from "./leg-events.ts"
import type { StoredCall } from "./stored-leg.ts"

/** A server's tool as the request calls it, or a function of the caller. */
export type ToolLabel = { readonly label: string; readonly tool: string } | "function"

/** A call that the leg before asked about. */
export type ApprovedCall = StoredCall & {
  readonly request: string
  /** It runs in this leg. False where it was denied, or nobody can tell any more. */
  readonly isApproved: boolean
}

export type OutputBuilder = {
  readonly list: (lists: ReadonlyArray<Omit<McpListToolsItem, "id" | "type">>) => readonly WireEvent[]
  /** Begins the calls that were approved: the first items of a leg that goes on after a pause. */
  readonly begin: () => readonly WireEvent[]
  readonly add: (event: LegEvent) => readonly WireEvent[]
  /** Requests approval of these calls: the last items of a leg that pauses. */
  readonly ask: (calls: readonly StoredCall[]) => readonly WireEvent[]
  /** Ends what an answer that was cut off has begun. */
  readonly cut: () => readonly WireEvent[]
  readonly items: () => readonly OutputItem[]
  readonly usage: () => StepUsage
  readonly finish: () => string | null
}

type McpCallBase = Pick<McpCallItem, "id" | "type" | "server_label" | "name" | "approval_request_id">

type Open = { readonly index: number; readonly kind: "text" | "reasoning"; readonly id: string; text: string }

export function createOutputBuilder(
  at: LegRef,
  /** Null: the model made it up. */
  labelOf: (tool: string) => ToolLabel | null,
  approved: readonly ApprovedCall[],
): OutputBuilder {
  const items: OutputItem[] = []
  const open = new Map<string, Open>()
  const calls = new Map<string, StoredCall & { readonly request?: string }>(approved.map((one) => [one.call, one]))
  let step = -1
  let nth = 0
  let usage: StepUsage = { input: 0, cached: 0, output: 0, reasoning: 0 }
  let finish: string | null = null

  const added = (item: OutputItem): { readonly index: number; readonly event: WireEvent } => {
    const index = items.push(item) - 1
    return { index, event: { type: "response.output_item.added", output_index: index, item } }
  }
  const done = (index: number, item: OutputItem): WireEvent => {
    items[index] = item
    return { type: "response.output_item.done", output_index: index, item }
  }
  const whole = (item: OutputItem): readonly WireEvent[] => {
    const { index, event } = added(item)
    return [event, done(index, item)]
  }

  const say = ({ kind, id, delta }: Extract<LegEvent, { type: "said" }>): readonly WireEvent[] => {
    if (delta === "") return []
    const known = open.get(id)
    const events: WireEvent[] = []
    let now = known
    if (now === undefined) {
      const itemId = saidId(kind === "text" ? "msg" : "rs", at, Math.max(step, 0), nth++)
      const { index, event } = added(kind === "text" ? message(itemId, "in_progress", []) : reasoning(itemId, []))
      now = { index, kind, id: itemId, text: "" }
      open.set(id, now)
      events.push(event, partEvent("added", now))
    }
    now.text += delta
    events.push(deltaEvent(now, delta))
    return events
  }
  const saidEnd = (key: string, status: "completed" | "incomplete"): readonly WireEvent[] => {
    const now = open.get(key)
    if (now === undefined) return []
    open.delete(key)
    const item =
      now.kind === "text"
        ? message(now.id, status, [outputText(now.text)])
        : reasoning(now.id, [{ type: "summary_text", text: now.text }])
    return [textDoneEvent(now), partEvent("done", now), done(now.index, item)]
  }
  const called = (call: StoredCall): readonly WireEvent[] => {
    calls.set(call.call, call)
    if (labelOf(call.tool) !== "function") return []
    const id = callItemId("fc", at.run, call.call)
    const base = { id, type: "function_call", call_id: call.call, name: call.tool } as const
    const { index, event } = added({ ...base, status: "in_progress", arguments: "" })
    const where = { item_id: id, output_index: index }
    return [
      event,
      { type: "response.function_call_arguments.delta", ...where, delta: call.args },
      { type: "response.function_call_arguments.done", ...where, name: call.tool, arguments: call.args },
      done(index, { ...base, status: "completed", arguments: call.args }),
    ]
  }
  const begun = new Map<string, { readonly index: number; readonly base: McpCallBase; readonly args: string }>()
  const beginCall = (call: string): readonly WireEvent[] => {
    const made = calls.get(call)
    const label = made === undefined ? null : labelOf(made.tool)
    if (made === undefined || label === null || label === "function" || begun.has(call)) return []
    const base: McpCallBase = {
      id: callItemId("mcp", at.run, call),
      type: "mcp_call",
      server_label: label.label,
      name: label.tool,
      ...(made.request === undefined ? {} : { approval_request_id: made.request }),
    }
    const { index, event } = added({ ...base, status: "in_progress", arguments: "" })
    begun.set(call, { index, base, args: made.args })
    const where = { item_id: base.id, output_index: index }
    return [
      event,
      { type: "response.mcp_call.in_progress", ...where },
      { type: "response.mcp_call_arguments.delta", ...where, delta: made.args },
      { type: "response.mcp_call_arguments.done", ...where, arguments: made.args },
    ]
  }
  const endCall = (call: string, end: Pick<McpCallItem, "status" | "output" | "error">): readonly WireEvent[] => {
    const found = begun.get(call)
    if (found === undefined) return []
    begun.delete(call)
    calls.delete(call)
    const item = done(found.index, { ...found.base, arguments: found.args, ...end })
    if (end.status === "incomplete") return [item]
    const where = { item_id: found.base.id, output_index: found.index }
    return [{ type: `response.mcp_call.${end.status}`, ...where }, item]
  }
  const ended = ({ call, text, isError }: Extract<LegEvent, { type: "ended" }>): readonly WireEvent[] => [
    ...beginCall(call),
    ...endCall(
      call,
      isError ? { status: "failed", error: executionError(text) } : { status: "completed", output: text },
    ),
  ]

  return {
    list: (lists) =>
      lists.flatMap((list) => {
        const id = listId(at, list.server_label)
        const item: McpListToolsItem = { id, type: "mcp_list_tools", ...list }
        const { index, event } = added({ id, type: "mcp_list_tools", server_label: list.server_label, tools: [] })
        const where = { item_id: id, output_index: index }
        return [
          event,
          { type: "response.mcp_list_tools.in_progress", ...where },
          { type: `response.mcp_list_tools.${list.error === undefined ? "completed" : "failed"}`, ...where },
          done(index, item),
        ]
      }),
    begin: () => approved.flatMap(({ call, isApproved }) => (isApproved ? beginCall(call) : [])),
    add: (event) => {
      switch (event.type) {
        case "step":
          step += 1
          nth = 0
          return []
        case "said":
          return say(event)
        case "said-end":
          return saidEnd(event.id, "completed")
        case "called":
          return called(event)
        case "ended":
          return ended(event)
        case "answered":
          usage = sum(usage, event.usage)
          finish = event.finish
          return []
      }
    },
    ask: (asked) =>
      asked.flatMap(({ call, tool, args }) => {
        const label = labelOf(tool)
        if (label === null || label === "function") return []
        return whole({
          id: callItemId("mcpr", at.run, call),
          type: "mcp_approval_request",
          server_label: label.label,
          name: label.tool,
          arguments: args,
        })
      }),
    cut: () => [
      ...[...open.keys()].flatMap((key) => saidEnd(key, "incomplete")),
      ...[...begun.keys()].flatMap((call) => endCall(call, { status: "incomplete" })),
    ],
    items: () => [...items],
    usage: () => usage,
    finish: () => finish,
  }
}

function message(id: string, status: MessageItem["status"], content: MessageItem["content"]): MessageItem {
  return { id, type: "message", status, role: "assistant", content }
}

function reasoning(id: string, summary: ReasoningItem["summary"]): ReasoningItem {
  return { id, type: "reasoning", summary }
}

function outputText(text: string): OutputText {
  return { type: "output_text", text, annotations: [], logprobs: [] }
}

function executionError(text: string): McpCallItem["error"] & {} {
  return { type: "mcp_tool_execution_error", content: [{ type: "text", text }] }
}

function partEvent(moment: "added" | "done", { kind, id, index, text }: Open): WireEvent {
  const where = { item_id: id, output_index: index }
  return kind === "text"
    ? { type: `response.content_part.${moment}`, ...where, content_index: 0, part: outputText(text) }
    : {
        type: `response.reasoning_summary_part.${moment}`,
        ...where,
        summary_index: 0,
        part: { type: "summary_text", text },
      }
}

function deltaEvent({ kind, id, index }: Open, delta: string): WireEvent {
  const where = { item_id: id, output_index: index }
  return kind === "text"
    ? { type: "response.output_text.delta", ...where, content_index: 0, delta, logprobs: [] }
    : { type: "response.reasoning_summary_text.delta", ...where, summary_index: 0, delta }
}

function textDoneEvent({ kind, id, index, text }: Open): WireEvent {
  const where = { item_id: id, output_index: index }
  return kind === "text"
    ? { type: "response.output_text.done", ...where, content_index: 0, text, logprobs: [] }
    : { type: "response.reasoning_summary_text.done", ...where, summary_index: 0, text }
}

function sum(a: StepUsage, b: StepUsage): StepUsage {
  return {
    input: a.input + b.input,
    cached: a.cached + b.cached,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  }
}
