import type { RunView } from "@byleave/api"
import { type AgentRun, type Hasher, type Requirement, runSession } from "@byleave/core"
import { opaqueSession } from "./session-key.ts"

/** A run as people and programs see it; which process carries it out is nobody's business outside. */
export function runViewOf({ hasher }: { readonly hasher: Hasher }, run: AgentRun): RunView {
  const { id, version, principal, startedBy, createdAt, updatedAt, title, setup, legs, steps, usage, bytes } = run
  const { model, servers, instructions = null, maxSteps, metadata = null } = setup
  const facts = {
    ...{
      id,
      version,
      principal,
      sessionKey: opaqueSession(runSession(run), hasher),
      startedBy,
      createdAt,
      updatedAt,
      title,
    },
    ...{ model, servers, instructions, maxSteps, metadata, legs, steps, usage, bytes },
  }
  switch (run.status) {
    case "running":
      return { ...facts, status: run.status }
    case "paused":
      return {
        ...facts,
        status: run.status,
        pausedAt: run.pausedAt,
        requirements: run.requirements.map(requirementViewOf),
      }
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

export function requirementViewOf({ approval, toolCall, tool }: Requirement) {
  return { id: approval ?? toolCall, toolCall, tool, approval }
}
