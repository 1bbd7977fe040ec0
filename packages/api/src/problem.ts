import type { AnswerRefusal } from "@byleave/core"
import { z } from "zod"

/** Every code an error of this API can carry. Stable: programs tell errors apart by it. */
export const problemCodes = [
  // of the request
  "bad-request",
  "bad-json",
  "too-large",
  "wrong-content-type",
  "not-found",
  "wrong-method",
  // of whoever asks
  "foreign-host",
  "foreign-origin",
  "not-signed-in",
  "wrong-credential",
  "bad-proof",
  "presence-needed",
  "self-approval",
  "link-spent",
  "wrong-pin",
  "too-many-tries",
  "device-waits",
  // of what was asked
  "already-settled",
  "conflict",
  "digest-mismatch",
  "not-in-group",
  "past-expiry",
  "not-due",
  "not-approved",
  "has-caller",
  "not-the-caller",
  "not-the-owner",
  "not-pending",
  "edit-after-vote",
  "invalid-verdict",
  "grant-lapsed",
  "never-remember",
  "breadth-mismatch",
  "invalid-arguments",
  "forbidden-by-policy",
  "invalid-mode",
  "not-rerunnable",
  "cannot-run-now",
  "not-undoable",
  "cannot-undo",
  "arguments-removed",
  "not-proposed",
  "name-taken",
  "last-reviewer",
  // of agent runs
  "run-not-owned",
  "run-under-way",
  "run-ended",
  "run-has-nothing-to-do",
  "run-has-no-requirement",
  "run-changed",
  "state-used",
  "state-not-exported",
  "state-malformed",
  "state-tampered",
  "state-foreign",
  "state-too-old",
  "state-too-new",
  "state-too-large",
  "state-bomb",
  "run-waits",
  "run-too-large",
  "too-many-runs",
  "too-many-streams",
  "too-many-reads",
  "no-model",
  "decision-needs-reviewer",
  "decision-needs-digest",
  // of the service
  "store-unavailable",
  "unavailable",
  "failed",
] as const
export type ProblemCode = (typeof problemCodes)[number]

/** Fails to compile when the gate can refuse in a way the list does not know. */
problemCodes satisfies readonly (AnswerRefusal["code"] extends ProblemCode ? string : never)[]

/** RFC 9457: what went wrong, by a stable code and in a sentence that says what to do. */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.enum(problemCodes),
    detail: z.string(),
    /** The problems in the request, place by place. */
    problems: z.array(z.string()).readonly().exactOptional(),
  })
  .meta({ id: "Problem" })
export type Problem = z.infer<typeof problem>
