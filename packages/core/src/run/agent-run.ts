import type { EpochMs, Principal, Session, ToolRef } from "../call/call.ts"
import type { JsonObject } from "../call/json/json.ts"
import { keptBytes } from "../call/json/kept-bytes.ts"
import type { RunPrincipal, RunStarter } from "../call/run-principal.ts"

/** A call of the run that waits for a person. */
export type Requirement = {
  /** Of its approval; null where nobody was asked, because policy stopped asking or the run was carried here: then it is judged again on resuming. */
  readonly approval: string | null
  readonly toolCall: string
  readonly tool: ToolRef
}

export type TokenUsage = { readonly input: number; readonly output: number; readonly total: number }

/** Everything a leg needs besides the messages; stays as it is for all legs unless a later message changes it. */
export type RunSetup = {
  /** The name of a model of the configuration. */
  readonly model: string
  /** Whose tools the run may use. */
  readonly servers: readonly string[]
  readonly instructions?: string
  readonly maxSteps: number
  /** W3C trace context of the run's starter. */
  readonly trace?: { readonly traceparent: string; readonly tracestate?: string }
  /** The starter's own words about the run; Byleave keeps them and gives them back. */
  readonly metadata?: JsonObject
  /** The data that the run's interface needs, such as tools of the caller. */
  readonly face?: JsonObject
}

/** The bytes that a setup counts for in the size of its run. */
export function setupBytes(setup: RunSetup): number {
  return keptBytes(JSON.stringify(setup))
}

type RunFacts = {
  readonly id: string
  /** Goes up by one with every change; what compare-and-set compares. */
  readonly version: number
  readonly principal: RunPrincipal
  readonly startedBy: RunStarter
  readonly createdAt: EpochMs
  readonly updatedAt: EpochMs
  /** The first words of the task, for lists. */
  readonly title: string
  readonly setup: RunSetup
  /** How many legs have begun, and how many answers models gave. */
  readonly legs: number
  readonly steps: number
  readonly usage: TokenUsage
  /** The bytes that the journal's lines and the setup count for: their text, and what its values take in memory. */
  readonly bytes: number
}

export type RunningRun = RunFacts & {
  readonly status: "running"
  /** The process that carries the leg out; when its lease lapses another one does. */
  readonly owner: string
  readonly leaseUntil: EpochMs
  /** The requirements that the run waited for before this leg; empty if it waited for nothing. */
  readonly answered: readonly Requirement[]
}
export type PausedRun = RunFacts & {
  readonly status: "paused"
  readonly pausedAt: EpochMs
  readonly requirements: readonly Requirement[]
  /** Of the arguments of the calls that are held for it. Absent: it paused before they were counted. */
  readonly heldBytes?: number
}
export type FinishedRun = RunFacts & { readonly status: "finished"; readonly endedAt: EpochMs }
export type FailedRun = RunFacts & {
  readonly status: "failed"
  readonly endedAt: EpochMs
  /** Continuing may help: nothing that ran runs again. */
  readonly retryable: boolean
  readonly detail: string
  /** The person who stopped it; absent: it failed by itself. */
  readonly stoppedBy?: string
  /** The requirements that the failed leg continued from; the next leg continues from them again. Absent: none. */
  readonly answered?: readonly Requirement[]
}
export type CancelledRun = RunFacts & {
  readonly status: "cancelled"
  readonly endedAt: EpochMs
  readonly by: string | null
  readonly detail: string
  /** It was exported: it goes on wherever that state is imported. */
  readonly exportedAs?: string
}

/** One agent's work on one task. (`Run` is the function that carries out a call.) */
export type AgentRun = RunningRun | PausedRun | FinishedRun | FailedRun | CancelledRun
export type AgentRunStatus = AgentRun["status"]

/** One line of a run's journal. Its name is unique in the run. */
export type JournalLine = {
  readonly run: string
  /** 1 for the first, then one more each. */
  readonly seq: number
  readonly name: string
  readonly at: EpochMs
  /** JSON. */
  readonly text: string
}

export function runSession(run: Pick<AgentRun, "id" | "principal">): Session {
  return { principal: run.principal, id: run.id, named: true }
}

/** With the owner of the runner token that started the run, so that its calls are that token's. */
export function principalOfRun({ principal, startedBy }: Pick<AgentRun, "principal" | "startedBy">): Principal {
  return startedBy.owner === undefined ? { id: principal } : { id: principal, owner: startedBy.owner }
}
