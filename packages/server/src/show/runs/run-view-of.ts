import type { RunSummaryView, RunView } from "@byleave/api"
import { type AgentRun, type Hasher, type Requirement, type RunSummary, runSession, runSummaryOf } from "@byleave/core"
import { opaqueSession } from "../session-key.ts"

/** So many calls that a run waits for are told at once. */
export const mostRequirements = 500

type Hashing = { readonly hasher: Hasher }

/** A run as lists and streams tell it; which process carries it out, and by which secret it was started, is nobody's business outside. */
export function runSummaryViewOf({ hasher }: Hashing, run: RunSummary): RunSummaryView {
  const { id, version, principal, createdAt, updatedAt, title, setup, legs, steps, usage, bytes } = run
  const { model, servers, maxSteps } = setup
  const startedBy = { kind: run.startedBy.kind, id: run.startedBy.id }
  const sessionKey = opaqueSession(runSession(run), hasher)
  const facts = {
    ...{ id, version, principal, sessionKey, startedBy, createdAt, updatedAt, title },
    ...{ model, servers, maxSteps, legs, steps, usage, bytes },
  }
  switch (run.status) {
    case "running":
      return { ...facts, status: run.status }
    case "paused":
      return { ...facts, status: run.status, pausedAt: run.pausedAt, waitsFor: run.waitsFor }
    case "finished":
      return { ...facts, status: run.status, endedAt: run.endedAt }
    case "failed": {
      const { status, endedAt, retryable, detail, stoppedBy = null } = run
      return { ...facts, status, endedAt, retryable, detail, stoppedBy }
    }
    case "cancelled": {
      const { status, endedAt, by, detail, exportedAs } = run
      return { ...facts, status, endedAt, by, detail, wasExported: exportedAs !== undefined }
    }
  }
}

/** A run by itself, with what its starter sent. */
export function runViewOf(hashing: Hashing, run: AgentRun): RunView {
  const { instructions = null, metadata = null } = run.setup
  const summary = runSummaryViewOf(hashing, runSummaryOf(run))
  if (summary.status !== "paused") return { ...summary, instructions, metadata }
  const requirements = shownRequirements(run).map(requirementViewOf)
  return { ...summary, instructions, metadata, requirements }
}

export function shownRequirements(run: AgentRun): readonly Requirement[] {
  return run.status === "paused" ? run.requirements.slice(0, mostRequirements) : []
}

export function requirementViewOf({ approval, toolCall, tool }: Requirement) {
  return { id: approval ?? toolCall, toolCall, tool, approval }
}
