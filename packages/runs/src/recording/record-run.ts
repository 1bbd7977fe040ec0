import {
  type AgentRun,
  asObject,
  type CallerGate,
  type JsonObject,
  type JsonValue,
  openCallsOf,
  type RunGate,
  type RunRefusal,
  type RunSetup,
  readStoredJson,
  textAt,
} from "@byleave/core"
import { allLines } from "../journal/journal.ts"
import type { OfferedTool } from "../tools.ts"
import { createCallNotes } from "./call-notes.ts"
import { eventLine, joinRecording, requestLine, withoutSecrets } from "./recording.ts"

export type RecordPorts = {
  readonly gate: Pick<RunGate, "run" | "journal"> & Pick<CallerGate, "approval">
  /** The tools as the run is offered them; those that are missing here are recorded by what their names say. */
  readonly tools?: readonly OfferedTool[]
  /** Takes configured secrets out of words. */
  readonly redact?: (text: string) => string
}

export type RunRecorded =
  | { readonly ok: true; readonly text: string; readonly isComplete: boolean }
  | { readonly ok: false; readonly refusal: RunRefusal }

/** A run's journal as a recording: it ends once the run is over. */
export async function recordRun(ports: RecordPorts, id: string): Promise<RunRecorded> {
  const run = await ports.gate.run(id)
  if (run === undefined) return { ok: false, refusal: { code: "run-not-found" } }
  const redact = ports.redact ?? ((text: string) => text)
  const clean = (value: JsonObject): JsonObject => asObject(withoutSecrets(value, redact)) ?? {}
  const lines = await linesOf(ports, run, clean)
  const isComplete = isOver(run)
  const end = isComplete ? { status: run.status } : null
  return { ok: true, text: joinRecording("run", lines, end), isComplete }
}

function isOver({ status }: AgentRun): boolean {
  return status !== "running" && status !== "paused"
}

/** `line`: where that of the request belongs, which is written once the leg has ended. */
type Leg = { readonly ms: number; readonly line: number; request: JsonObject }

/** The recording's lines, each written as soon as it is known: as values, what a run's calls gave may take many times as much as their text. */
async function linesOf(
  ports: RecordPorts,
  run: AgentRun,
  clean: (value: JsonObject) => JsonObject,
): Promise<readonly string[]> {
  const { setup } = run
  const lines: string[] = []
  let legs = 0
  let lastMs = 0
  const notes = createCallNotes(ports.tools ?? [], setup.servers)
  let start: number | null = null
  let open: Leg | null = null
  for await (const { name, at, text } of allLines(ports.gate, run.id)) {
    start ??= at
    const ms = at - start
    const [kind = ""] = name.split(" ", 1)
    if (open === null) {
      open = { ms, line: lines.length, request: legs === 0 ? requestOf(setup, ports.tools ?? []) : {} }
      legs += 1
      lines.push("")
    }
    const leg: Leg = open
    lastMs = ms
    const tell = (event: JsonObject): void => void lines.push(eventLine(legs, { ms, event: clean(event) }))
    const value = asObject(readStoredJson(text)) ?? {}
    const toolCall = name.slice(kind.length + 1)
    switch (kind) {
      case "input":
        leg.request = { ...leg.request, messages: [...listOf(leg.request.messages), ...listOf(value.messages)] }
        break
      case "answer":
        notes.made(listOf(value.parts))
        tell({ type: "model.answered", parts: listOf(value.parts) })
        break
      case "begun":
        tell({ type: value.ungated === undefined ? "call.allowed" : "call.ungated", ...notes.call(toolCall) })
        break
      case "outcome": {
        const approval = textAt(value, "approval")
        const held = approval === undefined ? undefined : await ports.gate.approval(approval)
        if (held?.editedArgs != null) notes.edited(toolCall, held.editedArgs)
        const isDenied = value.kind === "refusal" && approval === undefined
        if (isDenied)
          tell({
            type: "call.denied",
            ...notes.call(toolCall),
            reason: textAt(asObject(value.refusal), "reason") ?? "",
          })
        else tell({ type: "call.ended", tool_call: toolCall, outcome: withoutApproval(value) })
        break
      }
      case "leg": {
        const messages = listOf(value.messages)
        leg.request = withAnswers(leg.request, notes.answers(messages))
        const asked = notes.asked(messages)
        for (const call of asked) tell({ type: "call.asked", ...call })
        if (asked.length > 0) tell({ type: "agent-run.paused" })
        lines[leg.line] = requestLine(legs, { ms: leg.ms, request: clean(leg.request) })
        open = null
        break
      }
      default:
        break
    }
  }
  if (open !== null) {
    const request = withAnswers(open.request, await answersNow(ports, run))
    lines[open.line] = requestLine(legs, { ms: open.ms, request: clean(request) })
  }
  if (isOver(run) && legs > 0) {
    const event = { type: `agent-run.${run.status}`, ...("detail" in run ? { detail: run.detail } : {}) }
    lines.push(eventLine(legs, { ms: lastMs, event: clean(event) }))
  }
  return lines
}

function requestOf({ model, servers, instructions }: RunSetup, tools: readonly OfferedTool[]): JsonObject {
  return {
    model,
    servers,
    ...(instructions === undefined ? {} : { instructions }),
    tools: tools.map(({ ref, name, description, inputSchema }) => ({
      ...ref,
      name,
      ...(description === undefined ? {} : { description }),
      input_schema: inputSchema,
    })),
  }
}

function withAnswers(request: JsonObject, answers: readonly JsonObject[]): JsonObject {
  return answers.length === 0 ? request : { ...request, answers }
}

/** The answers to the calls from which a leg that did not end continued. */
async function answersNow({ gate }: RecordPorts, run: AgentRun): Promise<readonly JsonObject[]> {
  const answers: JsonObject[] = []
  for (const { approval: id, toolCall } of run.status === "paused" ? [] : openCallsOf(run)) {
    const approval = id === null ? undefined : await gate.approval(id)
    if (approval === undefined) continue
    const denied = approval.status === "denied" ? { reason: approval.refusal.reason } : {}
    answers.push({ tool_call: toolCall, approve: approval.status !== "denied", ...denied })
  }
  return answers
}

/** Ids of approvals are made anew wherever a recording is played. */
function withoutApproval({ approval: _, ...outcome }: JsonObject): JsonObject {
  return outcome
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}
