/**
 * A recording of a thread as steps to be played.
 *
 * I1. What is no recording of a run is refused with the line that is wrong; a recording is the work of others.
 * I2. Nothing is asked of a model, a server or the service.
 */
import { asObject, isObject, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@byleave/core"

export type ReplayedCall = {
  readonly toolCall: string
  readonly server: string
  readonly tool: string
  readonly args: JsonObject
}

export type ReplayStep =
  | { readonly kind: "message"; readonly ms: number; readonly text: string }
  | {
      readonly kind: "answer"
      readonly ms: number
      readonly leg: number
      readonly text: string
      readonly reasoning: string
      readonly calls: ReadonlyArray<{ readonly toolCall: string; readonly name: string; readonly argsText: string }>
    }
  | { readonly kind: "asked"; readonly ms: number; readonly calls: readonly ReplayedCall[] }
  | { readonly kind: "answered"; readonly ms: number; readonly answers: readonly ReplayedAnswer[] }
  | {
      readonly kind: "outcome"
      readonly ms: number
      readonly toolCall: string
      readonly outcome: "result" | "error" | "unknown" | "refusal"
      readonly text: string
    }

export type ReplayedAnswer = { readonly toolCall: string; readonly approve: boolean; readonly reason: string }

export type RecordedThread = {
  readonly model: string
  readonly servers: readonly string[]
  readonly tools: ReadonlyMap<string, { readonly description: string | null; readonly inputSchema: JsonObject | null }>
  readonly steps: readonly ReplayStep[]
  /** All calls, also those that nobody was asked about, by the model's ids of them. */
  readonly calls: ReadonlyMap<string, ReplayedCall>
}

export type RecordedThreadRead =
  | { readonly ok: true; readonly thread: RecordedThread }
  | { readonly ok: false; readonly problem: string }

const mostLines = 20_000

export function readThreadRecording(text: string): RecordedThreadRead {
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const wrong = (problem: string): RecordedThreadRead => ({ ok: false, problem })
  if (lines.length > mostLines) return wrong(`It has more than ${mostLines} lines.`)
  const steps: ReplayStep[] = []
  const calls = new Map<string, ReplayedCall>()
  let first: JsonObject = {}
  let hasBegun = false
  for (const [at, source] of lines.entries()) {
    const line = parsed(source)
    if (line === undefined) return wrong(`Line ${at + 1} is not a JSON object.`)
    if (!hasBegun) {
      const head = objectAt(line, "recording")
      if (head === undefined || head.format !== 1) return wrong("It does not begin like a recording of Byleave.")
      if (head.of !== "run") return wrong("It is a recording of requests of a program, not of a thread.")
      hasBegun = true
      continue
    }
    const ms = typeof line.ms === "number" && Number.isFinite(line.ms) ? line.ms : 0
    const leg = typeof line.leg === "number" ? line.leg : 0
    const request = objectAt(line, "request")
    const event = objectAt(line, "event")
    if (request !== undefined && steps.length === 0) first = request
    if (request !== undefined) steps.push(...requestSteps(request, ms))
    if (event === undefined) continue
    steps.push(...eventSteps(event, ms, leg))
    if (event.type === "call.allowed" || event.type === "call.asked") calls.set(callIn(event).toolCall, callIn(event))
  }
  if (!hasBegun) return wrong("It is empty.")
  return { ok: true, thread: { ...factsOf(first), steps: joinedAsks(steps), calls } }
}

function parsed(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}

function factsOf(request: JsonObject): Omit<RecordedThread, "steps" | "calls"> {
  const tools = (listAt(request, "tools") ?? []).filter(isObject).map((tool) => {
    const known = {
      description: textAt(tool, "description") ?? null,
      inputSchema: objectAt(tool, "input_schema") ?? null,
    }
    return [`${textAt(tool, "server") ?? ""} ${textAt(tool, "tool") ?? ""}`, known] as const
  })
  const servers = (listAt(request, "servers") ?? []).filter((each) => typeof each === "string")
  return { model: textAt(request, "model") ?? "model", servers, tools: new Map(tools) }
}

function requestSteps(request: JsonObject, ms: number): readonly ReplayStep[] {
  const answers = (listAt(request, "answers") ?? []).filter(isObject).map((answer) => ({
    toolCall: textAt(answer, "tool_call") ?? "",
    approve: answer.approve === true,
    reason: textAt(answer, "reason") ?? "",
  }))
  const messages = (listAt(request, "messages") ?? []).filter(isObject).filter(({ role }) => role === "user")
  return [
    ...(answers.length === 0 ? [] : [{ kind: "answered" as const, ms, answers }]),
    ...messages.map((message) => ({ kind: "message" as const, ms, text: contentText(message.content) })),
  ]
}

function contentText(content: JsonValue | undefined): string {
  if (typeof content === "string") return content
  return (Array.isArray(content) ? content : []).flatMap((part) => textAt(asObject(part), "text") ?? []).join("")
}

function eventSteps(event: JsonObject, ms: number, leg: number): readonly ReplayStep[] {
  const toolCall = textAt(event, "tool_call") ?? ""
  switch (event.type) {
    case "model.answered": {
      const parts = (listAt(event, "parts") ?? []).filter(isObject)
      const said = (type: string): string =>
        parts.flatMap((part) => (part.type === type ? (textAt(part, "delta") ?? []) : [])).join("")
      const calls = parts.flatMap((part) =>
        part.type === "tool-call"
          ? [
              {
                toolCall: textAt(part, "toolCallId") ?? "",
                name: textAt(part, "toolName") ?? "",
                argsText: textAt(part, "input") ?? "",
              },
            ]
          : [],
      )
      return [{ kind: "answer", ms, leg, text: said("text-delta"), reasoning: said("reasoning-delta"), calls }]
    }
    case "call.asked":
      return [{ kind: "asked", ms, calls: [callIn(event)] }]
    case "call.denied":
      return [{ kind: "outcome", ms, toolCall, outcome: "refusal", text: textAt(event, "reason") ?? "" }]
    case "call.ended":
      return [{ kind: "outcome", ms, toolCall, ...outcomeOf(objectAt(event, "outcome") ?? {}) }]
    default:
      return []
  }
}

function callIn(event: JsonObject): ReplayedCall {
  const tool = objectAt(event, "tool")
  return {
    toolCall: textAt(event, "tool_call") ?? "",
    server: textAt(tool, "server") ?? "",
    tool: textAt(tool, "tool") ?? textAt(event, "name") ?? "",
    args: objectAt(event, "args") ?? {},
  }
}

function outcomeOf(outcome: JsonObject): {
  readonly outcome: "result" | "error" | "unknown" | "refusal"
  readonly text: string
} {
  switch (outcome.kind) {
    case "result":
      return { outcome: "result", text: resultText(outcome.result) }
    case "error":
      return { outcome: "error", text: resultText(outcome.error) }
    case "refusal":
      return { outcome: "refusal", text: textAt(objectAt(outcome, "refusal"), "reason") ?? "" }
    default:
      return { outcome: "unknown", text: textAt(outcome, "detail") ?? "" }
  }
}

function resultText(result: JsonValue | undefined): string {
  if (typeof result === "string") return result
  const content = listAt(asObject(result), "content")
  if (content === undefined) return JSON.stringify(result ?? null)
  return content.flatMap((block) => textAt(asObject(block), "text") ?? []).join("\n")
}

/** Calls that are asked about one after the other wait together. */
function joinedAsks(steps: readonly ReplayStep[]): readonly ReplayStep[] {
  const joined: ReplayStep[] = []
  for (const step of steps) {
    const last = joined.at(-1)
    if (step.kind === "asked" && last?.kind === "asked") {
      joined[joined.length - 1] = { ...last, calls: [...last.calls, ...step.calls] }
    } else joined.push(step)
  }
  return joined
}
