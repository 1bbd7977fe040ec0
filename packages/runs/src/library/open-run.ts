/**
 * A run as a program holds it: what it waits for, and how to answer and go on.
 *
 * I1. An answer is given at the gate when it is given here; nothing is kept that a crash could lose.
 * I2. What decisions name and the run does not wait for decides nothing, and neither do the others with it.
 */
import {
  type AgentRun,
  type AnswerRefusal,
  type Approval,
  type CallerGate,
  type JsonObject,
  type Requirement,
  type Reviewer,
  type ReviewerGate,
  type RunGate,
  type TokenUsage,
  toolName,
} from "@byleave/core"
import type { ModelMessage } from "ai"
import { readJournal } from "../journal/journal.ts"
import type { Runs, RunsRefusal, Waiting } from "../runs.ts"
import { type AgentResponse, agentResponse } from "./agent-response.ts"
import { isAbout, type RequirementChoice } from "./decisions.ts"

export type OpenRunPorts = {
  readonly gate: Pick<RunGate, "journal"> & Pick<CallerGate, "approval"> & Pick<ReviewerGate, "answer">
  readonly runs: Pick<Runs, "get" | "go" | "settled" | "cancel">
  /** Whose answers these are. In its own process a program names its reviewer itself. */
  readonly reviewer: Reviewer
}

/** A call that the run waits for. */
export type RunRequirement = {
  readonly id: string
  readonly toolCallId: string
  /** `server(tool)` */
  readonly toolName: string
  readonly toolArgs: JsonObject
  readonly why: string
  readonly needsConfirmation: boolean
  readonly isResolved: boolean
  /** The note given with the answer; null: none. */
  readonly confirmationNote: string | null
  readonly confirm: (note?: string) => Promise<RequirementAnswered>
  readonly reject: (reason?: string) => Promise<RequirementAnswered>
}

export type RequirementAnswered =
  | { readonly ok: true; readonly isResolved: boolean }
  | { readonly ok: false; readonly refusal: AnswerRefusal }

export type ContinueInput = {
  readonly message?: string
  readonly decisions?: readonly RequirementChoice[]
}

export type ContinueRefusal =
  | RunsRefusal
  | { readonly code: "no-such-requirement"; readonly ids: readonly string[] }
  | { readonly code: "answer-refused"; readonly requirement: string; readonly refusal: AnswerRefusal }

export type RunContinued =
  | { readonly ok: true; readonly run: OpenRun }
  | { readonly ok: false; readonly refusal: ContinueRefusal }

export type OpenRun = {
  readonly id: string
  readonly status: AgentRun["status"]
  readonly isPaused: boolean
  /** The model's last text. */
  readonly text: string
  readonly usage: TokenUsage
  /** Why it failed or was cancelled; null otherwise. */
  readonly detail: string | null
  readonly requirements: readonly RunRequirement[]
  /** The requirements that nobody has answered. */
  readonly activeRequirements: readonly RunRequirement[]
  /** Goes on once everything is answered, and resolves when the run has paused again or ended. */
  readonly continue: (input?: ContinueInput) => Promise<RunContinued>
  readonly continueWithPermission: (toolCallId: string, granted: boolean, reason?: string) => Promise<RunContinued>
  readonly response: (parts?: { readonly state?: string; readonly conversation?: string }) => AgentResponse
  /** Names the run: a program with the same store opens it by this. */
  readonly toJSON: () => { readonly run: string }
}

/** Undefined: there is no such run. A run that is at work is waited for. */
export async function openRun(ports: OpenRunPorts, id: string): Promise<OpenRun | undefined> {
  const run = await ports.runs.settled(id)
  if (run === undefined) return undefined
  const text = lastText((await readJournal(ports.gate, id)).messages)
  const held = await heldCalls(ports, run)
  const given: Array<Promise<unknown>> = []
  const requirements = held.map((call) => requirementOf(ports, call, given))
  const goOn = async ({ message, decisions = [] }: ContinueInput = {}): Promise<RunContinued> => {
    await Promise.all(given)
    const problem = await decide(requirements, decisions)
    if (problem !== null) return { ok: false, refusal: problem }
    return continueRun(ports, id, message)
  }
  return {
    id,
    status: run.status,
    isPaused: run.status === "paused",
    text,
    usage: run.usage,
    detail: run.status === "failed" || run.status === "cancelled" ? run.detail : null,
    requirements,
    get activeRequirements() {
      return requirements.filter(({ isResolved }) => !isResolved)
    },
    continue: goOn,
    continueWithPermission: (toolCallId, granted, reason) => {
      const said = reason === undefined ? {} : { rejection_reason: reason }
      return goOn({ decisions: [{ requirement_id: toolCallId, execute: granted, ...said }] })
    },
    response: (parts = {}) => {
      const isOpen = new Set(requirements.flatMap((one) => (one.isResolved ? [] : one.id)))
      return agentResponse(run, { waiting: held.filter(({ approval }) => isOpen.has(approval.id)), text, ...parts })
    },
    toJSON: () => ({ run: id }),
  }
}

async function heldCalls({ gate }: OpenRunPorts, run: AgentRun): Promise<readonly Waiting[]> {
  const held: Waiting[] = []
  for (const requirement of run.status === "paused" ? run.requirements : []) {
    const approval = requirement.approval === null ? undefined : await gate.approval(requirement.approval)
    if (approval !== undefined) held.push({ requirement, approval })
  }
  return held
}

type AnswerableRequirement = RunRequirement & { readonly of: Requirement }

function requirementOf(
  { gate, reviewer }: OpenRunPorts,
  { requirement, approval }: Waiting,
  given: Array<Promise<unknown>>,
): AnswerableRequirement {
  let current = approval
  const answer = (kind: "approve" | "deny", words: string | undefined): Promise<RequirementAnswered> => {
    const said = words === undefined || words === "" ? {} : { reason: words }
    const answered = gate
      .answer({ approval: current.id, kind, digest: current.runDigest, reviewer, ...said })
      .then((result): RequirementAnswered => {
        if (!result.ok) return { ok: false, refusal: result.refusal }
        current = result.approval
        return { ok: true, isResolved: current.status !== "pending" }
      })
    given.push(answered)
    return answered
  }
  return {
    of: requirement,
    id: approval.id,
    toolCallId: requirement.toolCall,
    toolName: toolName(requirement.tool),
    toolArgs: approval.args ?? {},
    why: approval.why,
    get needsConfirmation() {
      return current.status === "pending"
    },
    get isResolved() {
      return current.status !== "pending"
    },
    get confirmationNote() {
      return noteOf(current)
    },
    confirm: (note) => answer("approve", note),
    reject: (reason) => answer("deny", reason),
  }
}

function noteOf({ votes }: Approval): string | null {
  return votes.at(-1)?.reason ?? null
}

async function decide(
  requirements: readonly AnswerableRequirement[],
  decisions: readonly RequirementChoice[],
): Promise<ContinueRefusal | null> {
  const found = decisions.map((decision) => ({
    decision,
    requirement: requirements.find(({ of }) => isAbout(of, decision.requirement_id)),
  }))
  const unknown = found.flatMap(({ decision, requirement }) =>
    requirement === undefined ? decision.requirement_id : [],
  )
  if (unknown.length > 0) return { code: "no-such-requirement", ids: unknown }
  for (const { decision, requirement } of found) {
    const { execute, rejection_reason: reason } = decision
    const answered = execute ? await requirement?.confirm() : await requirement?.reject(reason)
    if (answered?.ok === false)
      return { code: "answer-refused", requirement: decision.requirement_id, refusal: answered.refusal }
  }
  return null
}

/** The last answer may have let the run go on already: then it is only waited for. */
async function continueRun(ports: OpenRunPorts, id: string, message: string | undefined): Promise<RunContinued> {
  const messages: readonly ModelMessage[] = message === undefined ? [] : [{ role: "user", content: message }]
  const before = await ports.runs.get(id)
  if (before?.status === "paused" || messages.length > 0 || before?.status === "failed") {
    const went = await ports.runs.go(id, { messages }, ports.reviewer.id)
    const isAtWork = !went.ok && messages.length === 0 && atWork.has(went.refusal.code)
    if (!went.ok && !isAtWork) return went
  }
  const run = await openRun(ports, id)
  return run === undefined ? { ok: false, refusal: { code: "run-not-found" } } : { ok: true, run }
}

const atWork: ReadonlySet<string> = new Set(["run-under-way", "run-has-nothing-to-do", "run-not-owned"])

function lastText(messages: readonly ModelMessage[]): string {
  const last = messages.findLast(({ role }) => role === "assistant")
  if (last?.role !== "assistant") return ""
  if (typeof last.content === "string") return last.content
  return last.content.flatMap((part) => (part.type === "text" ? part.text : [])).join("")
}
