/**
 * The calls of one leg: each goes to the gate once, and its outcome is in the journal before the model sees it.
 *
 * I1. An outcome that the journal has is given again; nothing is done for it.
 * I2. A call that was begun without an outcome in the journal is unknown, and not begun again.
 * I3. A call that people must be asked about stays open until the run pauses.
 * I4. A function of the host that is not gated is recorded as that, and runs no more often than a gated one.
 * I5. What is written as an outcome is one: a run that is lost, full or cut short tells its model nothing.
 * I6. What changes after a call was judged, and before it is sent, has it judged again.
 */
import type {
  AskedRunCall,
  Call,
  JsonObject,
  Outcome,
  PausedRun,
  ReadResult,
  Run,
  RunCall,
  RunContext,
  RunGate,
  RunningRun,
  RunOutcome,
  ToolRef,
} from "@byleave/core"
import { asObject, principalOfRun, runSession, toolName } from "@byleave/core"
import { type HostTool, runHostTool } from "../host-tools.ts"
import { FullJournal, type Journal, type JournalWriter, lineNames } from "../journal/journal.ts"
import type { OfferedTool, ToolSource } from "../tools.ts"
import { unreadableWords } from "./answer-calls.ts"
import type { HeldLedger } from "./held-ledger.ts"
import { type ToldOutcome, toldOf } from "./outcome-words.ts"

/** A tool call as a model made it. */
export type ModelCall = { readonly toolCallId: string; readonly toolName: string; readonly input: JsonObject }

/** How a call is taken: it runs or has run, is refused, or waits for the pause. */
export type Taken =
  | { readonly kind: "runs" }
  | { readonly kind: "denied"; readonly reason: string }
  | { readonly kind: "asked"; readonly why: string }

export type RunCalls = {
  /** Begins the call, once; resolves when it is decided about. */
  readonly take: (call: ModelCall) => Promise<Taken>
  readonly outcome: (call: ModelCall) => Promise<ToldOutcome>
  /** The calls that must be asked about, in the order they were proposed. */
  readonly asked: () => readonly AskedRunCall[]
  /** Resolves once the outcome of everything that was sent to a server is written, or cannot be. */
  readonly quiet: () => Promise<void>
}

export type RunCallsPorts = {
  readonly gate: Pick<RunGate, "tryCall" | "takeUpCall">
  readonly run: RunningRun
  /** The requirements that this leg goes on from. */
  readonly requirements: PausedRun["requirements"]
  readonly journal: Journal
  readonly writer: JournalWriter
  readonly toolNamed: (name: string) => OfferedTool | undefined
  /** Whether the starter of the run wants to be asked, even where policy allows. */
  readonly askFirst?: (tool: OfferedTool) => boolean
  /** The arguments as the model wrote them; undefined for a call of an earlier leg. */
  readonly argsOf: (toolCall: string) => ReadResult | undefined
  /** Why a call is not taken at all, or undefined. */
  readonly refusalOf: (toolCall: string) => string | undefined
  /** Functions of the host program that nobody is asked about; a tool of the same name comes first. */
  readonly ungated: ReadonlyMap<string, HostTool>
  readonly carryOut: ToolSource["call"]
  /** How often what calls of the run may do has changed so far. */
  readonly changes: () => number | undefined
  /** Resolves when something about the approval has changed, or the leg is stopped. */
  readonly changed: (approval: string) => Promise<void>
  /** Aborted when the leg is stopped. */
  readonly signal: AbortSignal
  readonly mayWait: HeldLedger
}

type Begun = { readonly taken: Promise<Taken>; readonly outcome: Promise<ToldOutcome> }

export function createRunCalls(ports: RunCallsPorts): RunCalls {
  const begun = new Map<string, Begun>()
  const asked = new Map<string, AskedRunCall>()
  const sent = new Set<string>()
  const { journal, run } = ports
  const callOf = ({ toolName, toolCallId }: ModelCall, args: JsonObject): RunCall => {
    const tool = ports.toolNamed(toolName)
    if (tool === undefined) throw new Error(`There is no tool ${toolName}.`)
    const call: Call = {
      tool: tool.ref,
      args,
      principal: principalOfRun(run),
      session: runSession(run),
      ...(tool.listed === undefined ? {} : { listed: tool.listed }),
    }
    const asked = ports.askFirst?.(tool) === true ? { askFirst: true } : {}
    return { call, toolCall: toolCallId, run, mayWait: ports.mayWait, ...asked }
  }
  const begin = (made: ModelCall): Begun => {
    const known = journal.outcomes.get(made.toolCallId)
    if (known !== undefined) return { taken: Promise.resolve(takenBy(known)), outcome: Promise.resolve(known) }
    const refusal = ports.refusalOf(made.toolCallId)
    if (refusal !== undefined) return refused(refusal)
    const requirement = ports.requirements.find(({ toolCall }) => toolCall === made.toolCallId)
    if (requirement?.approval != null) {
      const held = callOf(made, made.input)
      if (!isSameTool(held.call.tool, requirement.tool)) return renamed(ports, made.toolCallId, requirement.tool)
      const outcome = takeUp(ports, requirement.approval, held, sent).then(written(ports, made.toolCallId))
      return { taken: Promise.resolve({ kind: "runs" }), outcome }
    }
    if (journal.begun.has(made.toolCallId)) {
      const outcome = written(ports, made.toolCallId)(lost)
      return { taken: Promise.resolve({ kind: "runs" }), outcome }
    }
    const read = ports.argsOf(made.toolCallId)
    const args = read === undefined ? made.input : read.ok ? asObject(read.value) : undefined
    if (args === undefined) return refusedAsWritten(read)
    const host = ports.toolNamed(made.toolName) === undefined ? ports.ungated.get(made.toolName) : undefined
    if (host !== undefined) return runUngated(ports, made, args, { host, sent })
    return tryNow(ports, callOf(made, args), { asked, sent })
  }
  const once = (call: ModelCall): Begun => {
    const known = begun.get(call.toolCallId)
    if (known !== undefined) return known
    const now = begin(call)
    begun.set(call.toolCallId, now)
    // A failure is reported to the code that awaits it; a leg that stops before never does.
    now.outcome.catch(() => {})
    now.taken.catch(() => {})
    return now
  }
  return {
    take: async (call) => once(call).taken,
    outcome: async (call) => once(call).outcome,
    asked: () => [...begun.keys()].flatMap((id) => asked.get(id) ?? []),
    quiet: async () => {
      await Promise.allSettled([...sent].map((id) => begun.get(id)?.outcome))
    },
  }
}

function isSameTool(one: ToolRef, other: ToolRef): boolean {
  return one.server === other.server && one.tool === other.tool
}

/** The name that the model knows the tool by stands for another one by now. The approved tool is not that one. */
function renamed(ports: RunCallsPorts, toolCall: string, tool: ToolRef): Begun {
  const error = `${toolName(tool)} is no longer offered, so this call did not run.`
  const outcome = written(ports, toolCall)({ kind: "error", error, approval: null, notes: [] })
  return { taken: Promise.resolve({ kind: "runs" }), outcome }
}

/** Arguments that can be read in two ways are shown to nobody and sent nowhere. */
function refusedAsWritten(read: ReadResult | undefined): Begun {
  return refused(unreadableWords(read?.ok === false ? read.problem.message : "they are not an object."))
}

function refused(reason: string): Begun {
  const refusal = { by: "policy", code: "denied-by-rule", reason } as const
  const told = toldOf({ kind: "refusal", refusal, approval: null })
  return { taken: Promise.resolve(takenBy(told)), outcome: Promise.resolve(told) }
}

const lost: Outcome = {
  kind: "unknown",
  detail: "The process that ran this call stopped before it could report the outcome.",
  approval: null,
}

/** Begins a call that policy allows; a call that must be asked about has no outcome in this leg. */
function tryNow(
  ports: RunCallsPorts,
  of: RunCall,
  { asked, sent }: { readonly asked: Map<string, AskedRunCall>; readonly sent: Set<string> },
): Begun {
  const { gate, writer } = ports
  const started = Promise.withResolvers<Taken>()
  const send = sending(ports, of.call)
  const carry = (args: JsonObject, context: RunContext): Promise<RunOutcome> => {
    sent.add(of.toolCall)
    started.resolve({ kind: "runs" })
    return send(args, context)
  }
  const tried = gate.tryCall(of, carry, writer.line(lineNames.begun(of.toolCall), {}))
  const outcome = tried.then(async (came): Promise<ToldOutcome> => {
    if (came.kind === "asked") {
      asked.set(of.toolCall, { ...of, usage: came.usage })
      started.resolve({ kind: "asked", why: came.why })
      return new Promise(() => {})
    }
    const kept = await written(ports, of.toolCall)(came)
    started.resolve(takenBy(kept))
    return kept
  })
  outcome.catch(started.reject)
  return { taken: started.promise, outcome }
}

/** Made before the call is judged: a server that takes its time to be reached does not get what was forbidden meanwhile. */
function sending({ carryOut, changes }: RunCallsPorts, call: Call): Run {
  const before = changes()
  const since = before === undefined ? {} : { changes: before }
  return (args, context) => carryOut(call, args, { ...context, ...since })
}

function runUngated(
  ports: RunCallsPorts,
  { toolCallId, toolName }: ModelCall,
  args: JsonObject,
  { host, sent }: { readonly host: HostTool; readonly sent: Set<string> },
): Begun {
  const run = async (): Promise<ToldOutcome> => {
    await ports.writer.write(lineNames.begun(toolCallId), { ungated: toolName, args })
    sent.add(toolCallId)
    const ended = await runHostTool(host, args, { cancelled: new Promise(() => {}) })
    return written(ports, toolCallId)(outcomeOf(ended))
  }
  return { taken: Promise.resolve({ kind: "runs" }), outcome: run() }
}

function outcomeOf(ended: RunOutcome): Outcome {
  switch (ended.kind) {
    case "succeeded":
      return { kind: "result", result: ended.result, approval: null, notes: [] }
    case "failed":
      return { kind: "error", error: ended.error, approval: null, notes: [] }
    case "unknown":
      return { kind: "unknown", detail: ended.detail, approval: null }
  }
}

function takenBy({ denied }: ToldOutcome): Taken {
  return denied === null ? { kind: "runs" } : { kind: "denied", reason: denied }
}

/** A process that died may still hold the call: then nobody knows yet what became of it, and the model is told nothing. */
async function takeUp(ports: RunCallsPorts, approval: string, of: RunCall, sent: Set<string>): Promise<Outcome> {
  const { gate, changed, signal } = ports
  for (;;) {
    signal.throwIfAborted()
    const change = changed(approval)
    const send = sending(ports, of.call)
    const outcome = await gate.takeUpCall(approval, of, (args, context) => {
      sent.add(of.toolCall)
      return send(args, context)
    })
    if (outcome !== null) return outcome
    await change
  }
}

function written({ writer }: RunCallsPorts, toolCall: string): (outcome: Outcome) => Promise<ToldOutcome> {
  const write = async (outcome: Outcome): Promise<ToldOutcome> => {
    await writer.write(lineNames.outcome(toolCall), outcome)
    return toldOf(outcome)
  }
  return (outcome) =>
    write(outcome).catch((error: unknown) => {
      if (!(error instanceof FullJournal)) throw error
      return write(tooLarge(outcome))
    })
}

/** The call has run, and the run goes on without its result. */
function tooLarge(outcome: Outcome): Outcome {
  if (outcome.kind !== "result" && outcome.kind !== "error") return outcome
  const error = "This call has run, but what it gave is more than this run can keep."
  return { kind: "error", error, approval: outcome.approval, notes: outcome.notes }
}
