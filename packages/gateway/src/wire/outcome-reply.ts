/**
 * Translates an outcome of the gate into a reply to an MCP client.
 *
 * A server's result is passed on unchanged. Our message about a tool is an `isError` result with a sentence the model can act on, never
 * `structuredContent`: strict clients check that against the tool's schema. Our message about anything else is a JSON-RPC error.
 *
 * I1. What is hidden is refused in the very words of what does not exist.
 * I2. Nothing we say of a tool ourselves has `structuredContent`, and all of it is an error.
 * I3. What a server calls an error is never kept as a success.
 * I4. Names that servers and agents chose are shown in our sentences with their control characters escaped (by core, whose sentences they are).
 * I5. Of what nobody can tell it is never said that it did not run.
 */
import {
  asObject,
  type Call,
  type JsonObject,
  type JsonValue,
  listAt,
  type Outcome,
  type OutcomeNote,
  objectAt,
  type Refusal,
  type RunOutcome,
  toolName,
} from "@byleave/core"
import { noteTexts, refusalText, ticketText, unknownText } from "@byleave/core/told"
import type { Era } from "./caller.ts"
import type { Reply, RpcError } from "./message.ts"
import { withOwn } from "./names/twin-names.ts"

export type Wording = {
  readonly call: Pick<Call, "kind" | "tool">
  readonly era: Era
  /** Where people decide. */
  readonly inbox: string
}

/** Codes of ours lie outside the range JSON-RPC and MCP keep for themselves. */
const refusedCode = 403
const waitingCode = 202

/** A reply as the gate keeps it: what the server said, told apart by whether it said no. */
export function runOutcomeOf(reply: Reply): RunOutcome {
  if (reply.kind === "error") return { kind: "failed", error: reply.error }
  if (reply.result.isError === true) return { kind: "failed", error: reply.result }
  return { kind: "succeeded", result: reply.result }
}

export function replyOfOutcome(outcome: Outcome, wording: Wording): Reply {
  switch (outcome.kind) {
    case "result":
      return { kind: "result", result: withNotes(asObject(outcome.result) ?? {}, outcome.notes) }
    case "error":
      return errorReply(outcome.error, outcome.notes)
    case "unknown":
      return unknownReply(outcome.detail, outcome.approval, wording)
    case "refusal":
      return refusalReply(outcome.refusal, outcome.approval, wording)
    case "ticket":
      return ticketReply(outcome, wording)
  }
}

/** The reply for an unknown tool, resource or prompt; a hidden one gets the same, so that nobody can tell them apart. */
export function unknownName({ call, era }: Pick<Wording, "call" | "era">): Reply {
  const name = call.tool.tool
  switch (call.kind) {
    case "resource": {
      const code = era === "legacy" ? -32002 : -32602
      return { kind: "error", error: { code, message: "Resource not found", data: { uri: name } } }
    }
    case "prompt":
      return { kind: "error", error: { code: -32602, message: `Unknown prompt: ${name}` } }
    case "sampling":
    case "elicitation":
    case "roots":
    case "method":
      return { kind: "error", error: { code: -32601, message: "Method not found" } }
    default:
      return { kind: "error", error: { code: -32602, message: `Unknown tool: ${name}` } }
  }
}

/** An `isError` result of ours: a sentence for the model, and the same for programs in `_meta`. */
export function ownError(text: string, key: string, meta: JsonObject): Reply {
  return { kind: "result", result: { content: [{ type: "text", text }], isError: true, _meta: { [key]: meta } } }
}

function errorReply(error: JsonValue, notes: readonly OutcomeNote[]): Reply {
  const said = asObject(error)
  if (said?.isError === true) return { kind: "result", result: withNotes(said, notes) }
  if (typeof said?.code === "number" && typeof said.message === "string")
    return { kind: "error", error: said as RpcError }
  return { kind: "error", error: { code: -32603, message: "The server failed and did not say why." } }
}

function withNotes(result: JsonObject, notes: readonly OutcomeNote[]): JsonObject {
  if (notes.length === 0) return result
  const noted = withOwn(result, { _meta: withOwn(objectAt(result, "_meta") ?? {}, { "byleave/notes": notes }) })
  const content = listAt(result, "content")
  const told = noteTexts(notes)
  if (told.length === 0 || content === undefined) return noted
  return { ...noted, content: [...content, ...told.map((text) => ({ type: "text", text }))] }
}

function unknownReply(detail: string, approval: string | null, wording: Wording): Reply {
  const text = unknownText(detail, { name: nameOf(wording) })
  const meta = { detail, ...(approval === null ? {} : { approval }) }
  return isTool(wording)
    ? ownError(text, "byleave/unknown", meta)
    : { kind: "error", error: { code: -32603, message: text, data: { "byleave/unknown": meta } } }
}

function refusalReply(refusal: Refusal, approval: string | null, wording: Wording): Reply {
  if (refusal.code === "hidden") return unknownName(wording)
  const meta = { ...refusal, ...(approval === null ? {} : { approval }) }
  const text = refusalText(refusal, { name: nameOf(wording), inbox: wording.inbox })
  return isTool(wording)
    ? ownError(text, "byleave/refusal", meta)
    : { kind: "error", error: { code: refusedCode, message: text, data: { "byleave/refusal": meta } } }
}

function ticketReply(ticket: Extract<Outcome, { kind: "ticket" }>, wording: Wording): Reply {
  const inbox = callAddress(wording.inbox, ticket.approval)
  const text = ticketText({ name: nameOf(wording), inbox })
  const meta = { approval: ticket.approval, inbox, expiresAt: ticket.expiresAt }
  return isTool(wording)
    ? ownError(text, "byleave/ticket", meta)
    : { kind: "error", error: { code: waitingCode, message: text, data: { "byleave/ticket": meta } } }
}

/** Where the page shows this very call. */
function callAddress(inbox: string, approval: string): string {
  return `${inbox}${inbox.endsWith("/") ? "" : "/"}?open=${encodeURIComponent(approval)}`
}

function isTool({ call }: Wording): boolean {
  return (call.kind ?? "tool") === "tool"
}

function nameOf({ call }: Wording): string {
  const kind = call.kind ?? "tool"
  return kind === "tool" ? toolName(call.tool) : `${kind} ${call.tool.tool} of ${call.tool.server}`
}
