import type { RunOutcome } from "../../approval/approval-event.ts"
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import type { Outcome, Run } from "../gate.ts"

/**
 * Runs the call. A run that throws, or returns something that is not an outcome, has an unknown outcome. Nothing here keeps the arguments while
 * it runs: an async function would, for as long as it waits.
 */
export function perform(run: Run, args: JsonObject, running: Parameters<Run>[1]): Promise<RunOutcome> {
  return begun(run, args, running).then(checked, thrown)
}

function begun(run: Run, args: JsonObject, running: Parameters<Run>[1]): Promise<unknown> {
  try {
    return Promise.resolve(run(args, running))
  } catch (error) {
    return Promise.reject(error)
  }
}

/** A value that throws when it is looked at is no outcome either. */
function checked(outcome: unknown): RunOutcome {
  try {
    return isOutcome(outcome) ? outcome : { kind: "unknown", detail: notAnOutcome }
  } catch (error) {
    return thrown(error)
  }
}

function thrown(error: unknown): RunOutcome {
  try {
    return { kind: "unknown", detail: error instanceof Error ? String(error.message) : String(error) }
  } catch {
    return { kind: "unknown", detail: threwUnreadable }
  }
}

const threwUnreadable = "The run threw something that cannot be read."

const notAnOutcome =
  "The run ended with something that is not an outcome: give back { kind: 'succeeded', result }, { kind: 'failed', error } or { kind: 'unknown', detail }, with JSON in it."

function isOutcome(value: unknown): value is RunOutcome {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false
  if (value.kind === "succeeded") return "result" in value && isJson(value.result, 0)
  if (value.kind === "failed") return "error" in value && isJson(value.error, 0)
  return value.kind === "unknown" && "detail" in value && typeof value.detail === "string"
}

/** Deeper than this nothing is looked at; it is recorded as far as it goes. */
const deepest = 1_000

function isJson(value: unknown, depth: number): value is JsonValue {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return true
    case "object":
      return value === null || depth > deepest || isRawNumber(value) || isJsonTree(value, depth)
    default:
      return false
  }
}

function isJsonTree(value: object, depth: number): boolean {
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (!isJson(inner, depth + 1)) return false
  }
  return true
}

export function outcomeOfRun(outcome: RunOutcome, approval: string | null): Outcome {
  switch (outcome.kind) {
    case "succeeded":
      return { kind: "result", result: outcome.result, approval, notes: [] }
    case "failed":
      return { kind: "error", error: outcome.error, approval, notes: [] }
    case "unknown":
      return { kind: "unknown", detail: outcome.detail, approval }
  }
}
