/**
 * The states of an agent run. Owns every change of one; performs none of the effects.
 *
 * I1. Only its owner moves a running run, and only by the leg that is under way; anyone may cancel it or change what a face keeps with it, and another process takes it over once its owner is gone.
 * I2. A run that nobody runs has neither owner nor lease, and a paused one has at least one requirement.
 * I3. A cancelled run never changes again.
 * I4. A leg begins only where none is under way: from paused, from finished with something new to say, from failed where it may be tried again.
 * I5. Every move raises the version by one.
 * I6. Legs, steps, usage and bytes never go down.
 * I7. What a leg went on from is kept when it fails or is stopped: the next one goes on from it too.
 * I8. Only what is under way or waits can be stopped.
 */
import type { EpochMs } from "../call/call.ts"
import type { JsonObject } from "../call/json/json.ts"
import {
  type AgentRun,
  type CancelledRun,
  type Requirement,
  type RunningRun,
  type RunSetup,
  setupBytes,
  type TokenUsage,
} from "./agent-run.ts"

/** The progress of a leg since the run was last written. */
export type RunProgress = { readonly steps: number; readonly usage: TokenUsage; readonly bytes: number }

/** Said by the process that carries the leg out, of the leg of that number. */
type LegEvent = RunProgress & { readonly owner: string; readonly leg: number; readonly at: EpochMs } & (
    | { readonly type: "progress" }
    | { readonly type: "pause"; readonly requirements: readonly Requirement[]; readonly heldBytes?: number }
    | { readonly type: "finish" }
    | { readonly type: "fail"; readonly retryable: boolean; readonly detail: string }
  )

export type RunEvent =
  /** Another leg begins. */
  | {
      readonly type: "resume"
      readonly owner: string
      readonly leaseUntil: EpochMs
      readonly at: EpochMs
      /** Says that there is a new message: without one a finished run has nothing to do. */
      readonly hasInput?: boolean
      readonly setup?: RunSetup
      readonly bytes?: number
    }
  /** A face changes what it keeps with the run; the leg under way goes on as it began. */
  | { readonly type: "set-face"; readonly face: JsonObject; readonly at: EpochMs }
  | { readonly type: "rename"; readonly title: string; readonly at: EpochMs }
  /** A person stops the leg under way, or what waits. */
  | { readonly type: "stop"; readonly by: string; readonly bytes: number; readonly at: EpochMs }
  | { readonly type: "renew-lease"; readonly owner: string; readonly leaseUntil: EpochMs; readonly at: EpochMs }
  /** `from` is gone, or its lease has lapsed; `at` decides about the latter. */
  | {
      readonly type: "take-over"
      readonly from: string
      readonly isGone: boolean
      readonly owner: string
      readonly leaseUntil: EpochMs
      readonly at: EpochMs
    }
  | LegEvent
  | {
      readonly type: "cancel"
      readonly by: string | null
      readonly detail: string
      readonly exportedAs?: string
      /** Only while the run is at this version: the exported state is the one that ends. */
      readonly ofVersion?: number
      readonly at: EpochMs
    }

export type RunRefusal =
  | { readonly code: "run-not-found" }
  | { readonly code: "run-not-owned" }
  | { readonly code: "run-under-way"; readonly owner: string }
  | { readonly code: "run-ended"; readonly status: AgentRun["status"] }
  | { readonly code: "run-has-nothing-to-do"; readonly status: AgentRun["status"] }
  | { readonly code: "run-has-no-requirement" }
  /** It has moved on since it was read. */
  | { readonly code: "run-changed"; readonly version: number }

export type RunTransition =
  | { readonly kind: "moved"; readonly next: AgentRun }
  | { readonly kind: "refused"; readonly refusal: RunRefusal }

/** Gives the run that the event makes of this one, or why it does not apply. */
export function runTransition(run: AgentRun, event: RunEvent): RunTransition {
  if (run.status === "cancelled") return refused({ code: "run-ended", status: run.status })
  switch (event.type) {
    case "cancel":
      if (event.ofVersion !== undefined && event.ofVersion !== run.version) {
        return refused({ code: "run-changed", version: run.version })
      }
      return moved(cancelled(run, event))
    case "resume":
      return resume(run, event)
    case "take-over":
      return takeOver(run, event)
    case "set-face":
      return moved(withFace(run, event))
    case "rename":
      return moved({ ...run, version: run.version + 1, updatedAt: event.at, title: event.title })
    case "stop":
      return stop(run, event)
    case "renew-lease":
      if (!isOwned(run, event)) return refused({ code: "run-not-owned" })
      return moved({ ...run, version: run.version + 1, leaseUntil: Math.max(run.leaseUntil, event.leaseUntil) })
    case "progress":
    case "pause":
    case "finish":
    case "fail":
      if (!isOwned(run, event) || run.legs !== event.leg) return refused({ code: "run-not-owned" })
      return fromLeg(run, event)
  }
}

function isOwned(run: AgentRun, { owner }: { readonly owner: string }): run is RunningRun {
  return run.status === "running" && run.owner === owner
}

function fromLeg(run: RunningRun, event: LegEvent): RunTransition {
  const facts = { ...restOf(run, event.at), ...progressOf(run, event) }
  switch (event.type) {
    case "progress":
      return moved({ ...facts, ...stateOf(run) })
    case "pause": {
      const { at: pausedAt, requirements, heldBytes } = event
      if (requirements.length === 0) return refused({ code: "run-has-no-requirement" })
      const held = heldBytes === undefined ? {} : { heldBytes }
      return moved({ ...facts, status: "paused", pausedAt, requirements, ...held })
    }
    case "finish":
      return moved({ ...facts, status: "finished", endedAt: event.at })
    case "fail":
      return moved({
        ...facts,
        status: "failed",
        endedAt: event.at,
        retryable: event.retryable,
        detail: event.detail,
        ...(run.answered.length === 0 ? {} : { answered: run.answered }),
      })
  }
}

function resume(run: Exclude<AgentRun, CancelledRun>, event: Extract<RunEvent, { type: "resume" }>): RunTransition {
  if (run.status === "running") return refused({ code: "run-under-way", owner: run.owner })
  const hasInput = event.hasInput === true
  const mayGoOn = run.status === "paused" || hasInput || (run.status === "failed" && run.retryable)
  if (!mayGoOn) return refused({ code: "run-has-nothing-to-do", status: run.status })
  return moved({
    ...restOf(run, event.at),
    setup: event.setup ?? run.setup,
    legs: run.legs + 1,
    bytes: Math.max(run.bytes, event.bytes ?? 0),
    status: "running",
    owner: event.owner,
    leaseUntil: event.leaseUntil,
    answered: openCallsOf(run),
  })
}

function stop(
  run: Exclude<AgentRun, CancelledRun>,
  { by, bytes, at }: Extract<RunEvent, { type: "stop" }>,
): RunTransition {
  if (run.status !== "running" && run.status !== "paused") {
    return refused({ code: "run-has-nothing-to-do", status: run.status })
  }
  return moved({
    ...restOf(run, at),
    bytes: Math.max(run.bytes, bytes),
    status: "failed",
    endedAt: at,
    retryable: true,
    detail: `${by} stopped it.`,
    stoppedBy: by,
    answered: openCallsOf(run),
  })
}

function withFace(run: AgentRun, { face, at }: Extract<RunEvent, { type: "set-face" }>): AgentRun {
  const setup = { ...run.setup, face }
  const more = Math.max(0, setupBytes(setup) - setupBytes(run.setup))
  return { ...run, version: run.version + 1, updatedAt: at, setup, bytes: run.bytes + more }
}

/** The calls that the next leg begins with. */
export function openCallsOf(run: AgentRun): readonly Requirement[] {
  switch (run.status) {
    case "paused":
      return run.requirements
    case "running":
      return run.answered
    case "failed":
      return run.answered ?? []
    case "finished":
    case "cancelled":
      return []
  }
}

function takeOver(run: AgentRun, event: Extract<RunEvent, { type: "take-over" }>): RunTransition {
  if (run.status !== "running" || run.owner !== event.from) return refused({ code: "run-not-owned" })
  if (!event.isGone && event.at < run.leaseUntil) return refused({ code: "run-under-way", owner: run.owner })
  const { owner, leaseUntil, at } = event
  return moved({ ...restOf(run, at), ...stateOf(run), owner, leaseUntil })
}

function cancelled(run: AgentRun, event: Extract<RunEvent, { type: "cancel" }>): CancelledRun {
  return {
    ...restOf(run, event.at),
    status: "cancelled",
    endedAt: event.at,
    by: event.by,
    detail: event.detail,
    ...(event.exportedAs === undefined ? {} : { exportedAs: event.exportedAs }),
  }
}

function stateOf({ status, owner, leaseUntil, answered }: RunningRun): Pick<RunningRun, RunningKeys> {
  return { status, owner, leaseUntil, answered }
}

type RunningKeys = "status" | "owner" | "leaseUntil" | "answered"

/** Everything of a run but what belongs to its state. */
function restOf(run: AgentRun, at: EpochMs): Omit<RunningRun, RunningKeys> {
  const { id, principal, startedBy, createdAt, title, setup, legs, steps, usage, bytes } = run
  const version = run.version + 1
  return { id, version, principal, startedBy, createdAt, updatedAt: at, title, setup, legs, steps, usage, bytes }
}

function progressOf(run: AgentRun, { steps, usage, bytes }: RunProgress): RunProgress {
  return {
    steps: Math.max(run.steps, steps),
    usage: {
      input: Math.max(run.usage.input, usage.input),
      output: Math.max(run.usage.output, usage.output),
      total: Math.max(run.usage.total, usage.total),
    },
    bytes: Math.max(run.bytes, bytes),
  }
}

function moved(next: AgentRun): RunTransition {
  return { kind: "moved", next }
}

function refused(refusal: RunRefusal): RunTransition {
  return { kind: "refused", refusal }
}
