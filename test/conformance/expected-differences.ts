import type { Difference } from "./compare.ts"
import type { PairingName } from "./pairings.ts"

/** A difference from the direct result that the protocol forces on whoever stands between these two, and why it does. */
export type ExpectedDifference = Pick<Difference, "scenario" | "check" | "through"> & { readonly reason: string }

const breakOff =
  "Breaking off a stream is a hop's own affair: the gateway fetched the rest of the server's stream by its last event, and its own client never had to."
const noStream =
  "Streams one can resume belong to the legacy era. The server behind answered at once, so there was nothing to stream, and JSON is as good an answer."
const serverKey =
  "A legacy server's question has no key. The gateway makes one, and the suite looks for the key its own fixture would choose."
const unasked =
  "The suite answers a question it was never asked. A legacy server cannot be given an answer before it has asked, so it asks."
const noSuchError =
  "Legacy servers do not know the error for a missing client ability; they say so in a tool result, which the gateway must not reinterpret."
const noTasks =
  "A legacy server has no tasks of this extension, and with everything allowed the gateway holds no call, so nothing becomes a task."

/** By pairing. A difference that is not here fails, and so does one that is here and no longer occurs. */
export const expectedDifferences: Readonly<Record<PairingName, readonly ExpectedDifference[]>> = {
  "legacy client, dual server": withoutStream(),
  "legacy client, modern server": withoutStream(),
  "legacy client, legacy server": differing("server-sse-polling", breakOff, { "server-sse-disconnect-resume": "INFO" }),
  "modern client, dual server": [],
  "modern client, legacy server": [
    ...differing("input-required-result-basic-elicitation", serverKey, {
      "sep-2322-elicitation-incomplete": "FAILURE",
      "sep-2322-elicitation-complete": "absent",
    }),
    ...differing("input-required-result-ignore-extra-params", unasked, {
      "sep-2322-ignore-unexpected-params": "WARNING",
    }),
    ...differing("server-stateless", noSuchError, {
      "sep-2575-server-rejects-undeclared-capability": "FAILURE",
      "sep-2575-missing-capability-http-400": "FAILURE",
    }),
    ...withoutTasks(),
  ],
}

function withoutStream(): readonly ExpectedDifference[] {
  return differing("server-sse-polling", noStream, {
    "server-sse-priming-event": "absent",
    "server-sse-retry-field": "absent",
    "server-sse-disconnect-resume": "absent",
    "server-sse-content-type": "INFO",
  })
}

function withoutTasks(): readonly ExpectedDifference[] {
  return [
    ...differing("tasks-capability-negotiation", noTasks, {
      "tasks-extension-advertised": "FAILURE",
      "tasks-per-request-meta-opt-in": "FAILURE",
    }),
    ...differing("tasks-dispatch-and-envelope", noTasks, {
      "tasks-server-directed-creation-no-hint": "FAILURE",
      "sep-2663-durable-create-strong-consistency": "FAILURE",
    }),
    ...differing("tasks-lifecycle", noTasks, {
      "sep-2663-result-type-task-on-create": "FAILURE",
      "sep-2663-tasks-get-status-working": "FAILURE",
      "sep-2663-tasks-get-status-completed": "FAILURE",
      "sep-2663-tool-error-uses-completed-status": "FAILURE",
      "sep-2663-tasks-get-status-failed": "FAILURE",
      "sep-2663-cancel-ack-empty-result": "FAILURE",
      "tasks-cancel-terminal-idempotent-ack": "FAILURE",
    }),
    ...differing("tasks-mrtr-composition", noTasks, { "sep-2663-mrtr-synchronous-before-task-creation": "FAILURE" }),
    ...differing("tasks-mrtr-input", noTasks, {
      "sep-2663-tasks-get-status-input-required": "FAILURE",
      "tasks-mrtr-tasks-update-resumes": "FAILURE",
      "tasks-mrtr-partial-fulfillment": "FAILURE",
    }),
    ...differing("tasks-request-headers", noTasks, {
      "sep-2663-routing-headers-accepted-on-tasks-get": "FAILURE",
      "sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get": "FAILURE",
    }),
    ...differing("tasks-request-state-removal", noTasks, {
      "tasks-create-result-no-request-state": "absent",
      "tasks-get-detailed-no-request-state": "absent",
      "tasks-request-state-removal-setup": "FAILURE",
    }),
    ...differing("tasks-required-task-error", noTasks, {
      "sep-2663-server-returns-missing-capability-when-required": "FAILURE",
      "sep-2663-server-returns-missing-capability-data-shape": "absent",
    }),
    ...differing("tasks-wire-fields", noTasks, {
      "tasks-wire-field-renames": "FAILURE",
      "tasks-no-early-ttl-expiry": "FAILURE",
      "tasks-no-related-task-meta-on-inlined-result": "FAILURE",
    }),
  ]
}

function differing(
  scenario: string,
  reason: string,
  checks: Readonly<Record<string, Difference["through"]>>,
): readonly ExpectedDifference[] {
  return Object.entries(checks).map(([check, through]) => ({ scenario, check, through, reason }))
}
