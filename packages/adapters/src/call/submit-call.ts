/**
 * One call of a host's tool through the gate: their call, our `Call`, `gate.submit`, an answer to translate back.
 *
 * I1. The tool runs with what was shown: a copy of its arguments, taken before anyone was asked and told wholly by its JSON, or the
 *     reviewer's edit; and with the params beside them that were shown, also where an earlier call was approved with others.
 * I2. A tool that throws has failed. One that was cut off, or that never says how it ended, is unknown; so is a call to an MCP server that
 *     ends in anything but the server's own word.
 */
import {
  canonicalJson,
  type JsonObject,
  type JsonValue,
  type Outcome,
  type Run,
  type RunOutcome,
  type ToolDefinition,
  toolName,
} from "@byleave/core"
import { noteTexts, refusalText, unknownText } from "@byleave/core/told"
import { type AdapterOptions, callFor } from "./adapter-options.ts"
import { bindableInput, messageOf, toJson } from "./json.ts"
import { patience } from "./patience.ts"
import { type PermissionResult, permissionResult } from "./permission-result.ts"

/** A host's call: `input` as the host has it, `signal` by which the host withdraws. */
export type ProposedCall = {
  readonly tool: string
  readonly input: unknown
  readonly definition?: ToolDefinition | undefined
  /** The other params sent to an MCP server with the arguments, such as `_meta`. */
  readonly extraParams?: JsonObject | undefined
  readonly signal?: AbortSignal | undefined
  /** It goes to an MCP server. */
  readonly isOverMcp?: boolean
}

/** The answer to a call that did not run here and now. `result` and `failed`: it ran earlier, and this was kept. `notes` are for the model. */
export type UnrunAnswer =
  | { readonly kind: "result"; readonly result: JsonValue; readonly notes: readonly string[] }
  | { readonly kind: "failed"; readonly error: JsonValue; readonly notes: readonly string[] }
  | { readonly kind: "refused"; readonly text: string }
  | { readonly kind: "unknown"; readonly text: string }
  | { readonly kind: "waiting"; readonly permission: PermissionResult }

/** The answer to a call. `ran`, `threw`: in this very call, with the tool's own value or error. */
export type GatedAnswer<Value> =
  | { readonly kind: "ran"; readonly value: Value; readonly notes: readonly string[] }
  | { readonly kind: "threw"; readonly thrown: unknown; readonly notes: readonly string[] }
  | UnrunAnswer

/** Runs the host's tool. `edited`: these are a reviewer's arguments, and plain JSON. `extraParams`: the other params to send, as the approver saw them. */
export type Execute<Value> = (
  input: unknown,
  edited: boolean,
  extraParams: JsonObject | undefined,
) => Promise<Value> | Value

export async function submitCall<Value>(
  options: AdapterOptions,
  proposed: ProposedCall,
  execute: Execute<Value>,
): Promise<GatedAnswer<Value>> {
  const { args, kept } = bindableInput(proposed.input)
  const call = callFor(options, proposed.tool, args, proposed)
  const ended: { here?: { value: Value } | { thrown: unknown } } = {}
  const { how, started, done } = patience(options, proposed.signal)
  const run: Run = async (runArgs, { extraParams }) => {
    started()
    const edited = canonicalJson(runArgs) !== canonicalJson(args)
    try {
      const value = await execute(edited ? runArgs : kept, edited, extraParams)
      ended.here = { value }
      return outcomeOfValue(value)
    } catch (thrown) {
      ended.here = { thrown }
      return outcomeOfThrown(thrown, proposed)
    }
  }
  const outcome = await options.gate.submit(call, run, how).finally(done)
  return answerOf(outcome, ended.here, options, proposed.tool)
}

function answerOf<Value>(
  outcome: Outcome,
  here: { value: Value } | { thrown: unknown } | undefined,
  options: AdapterOptions,
  tool: string,
): GatedAnswer<Value> {
  if (here === undefined || (outcome.kind !== "result" && outcome.kind !== "error")) {
    return unrunAnswer(outcome, options, tool)
  }
  const notes = noteTexts(outcome.notes)
  return "value" in here ? { kind: "ran", ...here, notes } : { kind: "threw", ...here, notes }
}

export function unrunAnswer(outcome: Outcome, options: AdapterOptions, tool: string): UnrunAnswer {
  const { server, inbox } = options
  const wording = { name: toolName({ server, tool }), ...(inbox === undefined ? {} : { inbox }) }
  switch (outcome.kind) {
    case "result":
      return { kind: "result", result: outcome.result, notes: noteTexts(outcome.notes) }
    case "error":
      return { kind: "failed", error: outcome.error, notes: noteTexts(outcome.notes) }
    case "unknown":
      return { kind: "unknown", text: unknownText(outcome.detail, wording) }
    case "refusal":
      // A hidden tool is refused in the words for a tool that does not exist.
      if (outcome.refusal.code === "hidden") return { kind: "refused", text: `Unknown tool: ${tool}` }
      return { kind: "refused", text: refusalText(outcome.refusal, wording) }
    case "ticket":
      return { kind: "waiting", permission: permissionResult(options, tool, outcome.approval) }
  }
}

/** A result that a server marks as an error is never kept as a success. */
function outcomeOfValue(value: unknown): RunOutcome {
  const json = toJson(value)
  const isError = typeof json === "object" && json !== null && "isError" in json && json.isError === true
  return isError ? { kind: "failed", error: json } : { kind: "succeeded", result: json }
}

function outcomeOfThrown(thrown: unknown, { signal, isOverMcp = false }: ProposedCall): RunOutcome {
  if (signal?.aborted) return { kind: "unknown", detail: "The agent's program stopped it while it ran." }
  if (isOverMcp && !isWordOfServer(thrown)) return { kind: "unknown", detail: messageOf(thrown) }
  return { kind: "failed", error: { message: messageOf(thrown) } }
}

/** Codes by which clients themselves say that a connection closed or a request took too long. */
const clientCodes: readonly number[] = [-32000, -32001]

/** JSON-RPC errors have numbers; what clients find out themselves has none, or one of theirs. */
function isWordOfServer(thrown: unknown): boolean {
  const code = typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : undefined
  return typeof code === "number" && !clientCodes.includes(code)
}
