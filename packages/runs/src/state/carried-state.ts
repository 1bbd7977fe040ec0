import { setImmediate } from "node:timers/promises"
import {
  asObject,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  memberAt,
  objectAt,
  type RunSetup,
  type RunStarter,
  type TokenUsage,
  type ToolRef,
  textAt,
} from "@byleave/core"
import { modelMessageSchema } from "ai"

/** The state of a run that continues elsewhere: everything but its verdicts. */
export type CarriedState = {
  readonly startedBy: RunStarter
  readonly title: string
  readonly setup: RunSetup
  readonly legs: number
  readonly steps: number
  readonly usage: TokenUsage
  readonly messages: readonly JsonObject[]
  /** Calls that wait, or were answered and have not run. */
  readonly open: ReadonlyArray<{ readonly toolCall: string; readonly tool: ToolRef }>
  /** Of the journal: what a leg that did not end has done already, by the lines' names. */
  readonly lines: ReadonlyArray<{ readonly name: string; readonly text: string }>
}

export type CheckedState =
  | { readonly ok: true; readonly state: CarriedState }
  | { readonly ok: false; readonly problem: string }

/** So long may messages be checked before others have their turn. */
const sliceMs = 20

/** Checks that a state is one; its messages stay as they came, with members that this version does not know. */
export async function readState(text: string, now: () => number): Promise<CheckedState> {
  let value: JsonObject | undefined
  try {
    value = asObject(JSON.parse(text))
  } catch (cause) {
    return { ok: false, problem: String(cause) }
  }
  const state = stateOf(value)
  if (typeof state === "string") return { ok: false, problem: state }
  const problem = (await messageProblem(state.messages, now)) ?? openProblem(state)
  return problem === null ? { ok: true, state } : { ok: false, problem }
}

function stateOf(value: JsonObject | undefined): CarriedState | string {
  const startedBy = starterOf(objectAt(value, "startedBy"))
  const title = textAt(value, "title")
  const setup = setupOf(objectAt(value, "setup"))
  const usage = usageOf(objectAt(value, "usage"))
  const [legs, steps] = [countAt(value, "legs"), countAt(value, "steps")]
  const messages = listAt(value, "messages")?.filter(isObject)
  const open = listAt(value, "open")?.map(openCallOf)
  const lines = listAt(value, "lines")?.map(lineOf)
  if (startedBy === null || title === undefined || setup === null || usage === null)
    return "It says not whose run it is."
  if (legs === null || steps === null) return "It says not how far the run is."
  if (messages === undefined || messages.length !== listAt(value, "messages")?.length) return "It has no messages."
  if (open === undefined || open.includes(null)) return "It says not which calls are open."
  if (lines === undefined || lines.includes(null)) return "It says not what the last leg has done."
  const present = <T>(item: T | null): item is T => item !== null
  return {
    startedBy,
    title,
    setup,
    legs,
    steps,
    usage,
    messages,
    open: open.filter(present),
    lines: lines.filter(present),
  }
}

function starterOf(value: JsonObject | undefined): RunStarter | null {
  const [kind, id] = [textAt(value, "kind"), textAt(value, "id")]
  return (kind === "reviewer" || kind === "runner") && id !== undefined ? { kind, id } : null
}

function setupOf(value: JsonObject | undefined): RunSetup | null {
  const servers = listAt(value, "servers")
  const isSetup =
    textAt(value, "model") !== undefined &&
    servers?.every((server) => typeof server === "string") === true &&
    countAt(value, "maxSteps") !== null &&
    ["instructions"].every((name) => isAbsentOr("string", memberAt(value, name))) &&
    ["trace", "metadata", "face"].every((name) => isAbsentOr("object", memberAt(value, name)))
  // Every member has just been looked at.
  return isSetup ? (value as unknown as RunSetup) : null
}

function isAbsentOr(type: "string" | "object", value: JsonValue | undefined): boolean {
  return value === undefined || (type === "object" ? isObject(value) : typeof value === type)
}

function usageOf(value: JsonObject | undefined): TokenUsage | null {
  const [input, output, total] = [countAt(value, "input"), countAt(value, "output"), countAt(value, "total")]
  return input === null || output === null || total === null ? null : { input, output, total }
}

function openCallOf(value: JsonValue): CarriedState["open"][number] | null {
  const toolCall = textAt(asObject(value), "toolCall")
  const ref = objectAt(asObject(value), "tool")
  const [server, tool] = [textAt(ref, "server"), textAt(ref, "tool")]
  return toolCall === undefined || server === undefined || tool === undefined
    ? null
    : { toolCall, tool: { server, tool } }
}

function lineOf(value: JsonValue): CarriedState["lines"][number] | null {
  const [name, text] = [textAt(asObject(value), "name"), textAt(asObject(value), "text")]
  return name === undefined || text === undefined || !/^(?:answer|begun|outcome) /.test(name) ? null : { name, text }
}

function countAt(value: JsonObject | undefined, name: string): number | null {
  const count = memberAt(value, name)
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : null
}

async function messageProblem(messages: readonly JsonObject[], now: () => number): Promise<string | null> {
  let since = now()
  for (const [at, message] of messages.entries()) {
    const checked = modelMessageSchema.safeParse(shapeOf(message))
    if (!checked.success) return `Message ${at + 1} is not one: ${checked.error.issues[0]?.message ?? "unknown"}`
    if (now() - since < sliceMs) continue
    await setImmediate()
    since = now()
  }
  return null
}

/** A message without what may be any JSON: checking that says nothing and takes seconds. */
function shapeOf(message: JsonObject): JsonObject {
  const content = listAt(message, "content")
  if (content === undefined) return message
  return { ...message, content: content.map((part) => (isObject(part) ? partShape(part) : part)) }
}

function partShape(part: JsonObject): JsonObject {
  if (part.type === "tool-call" && isObject(part.input)) return { ...part, input: {} }
  const output = objectAt(part, "output")
  if (part.type !== "tool-result" || (output?.type !== "json" && output?.type !== "error-json")) return part
  return { ...part, output: { ...output, value: null } }
}

/** A call can only go on where the messages have it, and the question about it. */
function openProblem({ messages, open }: CarriedState): string | null {
  const parts = messages.flatMap((message) => (message.role === "assistant" ? (listAt(message, "content") ?? []) : []))
  const idsOf = (type: string): ReadonlySet<string | undefined> =>
    new Set(parts.filter(isObject).flatMap((part) => (part.type === type ? textAt(part, "toolCallId") : [])))
  const [made, asked] = [idsOf("tool-call"), idsOf("tool-approval-request")]
  const missing = open.find(({ toolCall }) => !made.has(toolCall) || !asked.has(toolCall))
  return missing === undefined ? null : `The open call ${missing.toolCall} is not in its messages.`
}
