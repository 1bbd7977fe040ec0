import type { Problem, ProblemCode } from "@byleave/api"
import type { AnswerRefusal } from "@byleave/core"

/** A typed no to a request. A value, as every expected refusal is. */
export type RefusedRequest = {
  /** Named as no answer of the API names anything. */
  readonly refusedWith: ProblemCode
  readonly detail: string
  readonly problems?: readonly string[]
}

export function refuse(refusedWith: ProblemCode, detail: string, problems?: readonly string[]): RefusedRequest {
  return problems === undefined ? { refusedWith, detail } : { refusedWith, detail, problems }
}

export function isRefused(value: unknown): value is RefusedRequest {
  return typeof value === "object" && value !== null && "refusedWith" in value
}

/** Another's thing and none at all are told in the same words. */
export function notFound(): RefusedRequest {
  return refuse("not-found", "Not found. See the list for what exists.")
}

const answerStatus = {
  "already-settled": 409,
  conflict: 409,
  "digest-mismatch": 409,
  "self-approval": 403,
  "not-in-group": 403,
  "past-expiry": 410,
  "not-due": 409,
  "not-approved": 409,
  "has-caller": 409,
  "not-the-caller": 409,
  "not-the-owner": 409,
  "not-pending": 409,
  "edit-after-vote": 409,
  "not-found": 404,
  "invalid-verdict": 400,
  "grant-lapsed": 400,
  "never-remember": 409,
  "breadth-mismatch": 400,
  "invalid-arguments": 400,
  "forbidden-by-policy": 403,
  "not-rerunnable": 409,
  "not-undoable": 409,
  "arguments-removed": 410,
  "store-unavailable": 503,
} as const satisfies Record<AnswerRefusal["code"], number>

const statusOf = {
  ...answerStatus,
  "cannot-run-now": 409,
  "cannot-undo": 409,
  "bad-request": 400,
  "bad-json": 400,
  "too-large": 413,
  "wrong-content-type": 415,
  "wrong-method": 405,
  "foreign-host": 403,
  "foreign-origin": 403,
  "not-signed-in": 401,
  "wrong-credential": 403,
  "bad-proof": 401,
  "presence-needed": 403,
  "link-spent": 403,
  "wrong-pin": 403,
  "too-many-tries": 429,
  "device-waits": 403,
  "invalid-mode": 400,
  "not-proposed": 409,
  "name-taken": 409,
  "last-reviewer": 409,
  "run-not-owned": 409,
  "run-under-way": 409,
  "run-ended": 409,
  "run-has-nothing-to-do": 409,
  "run-has-no-requirement": 409,
  "run-changed": 409,
  "state-used": 409,
  "state-not-exported": 409,
  "state-malformed": 400,
  "state-tampered": 400,
  "state-foreign": 403,
  "state-too-old": 400,
  "state-too-new": 400,
  "state-too-large": 413,
  "state-bomb": 413,
  "run-waits": 409,
  "run-too-large": 413,
  "too-many-runs": 429,
  "too-many-streams": 429,
  "too-many-reads": 429,
  "no-model": 409,
  "decision-needs-reviewer": 403,
  "decision-needs-digest": 409,
  unavailable: 503,
  failed: 500,
} as const satisfies Record<ProblemCode, number>

/** RFC 9457. */
export function problemOf({ refusedWith, detail, problems }: RefusedRequest): Problem {
  return {
    type: "about:blank",
    title: refusedWith.replaceAll("-", " "),
    status: statusOf[refusedWith],
    code: refusedWith,
    detail,
    ...(problems === undefined ? {} : { problems }),
  }
}

/** Whether the rest of the body may still be on its way, so that the connection cannot carry another request. */
export function leavesBodyUnread(code: ProblemCode): boolean {
  return code === "too-large" || code === "unavailable"
}

/** In seconds. */
export function retryAfter(code: ProblemCode): string {
  return code === "too-many-reads" ? "5" : "60"
}

export function problemResponse(refused: RefusedRequest): Response {
  const problem = problemOf(refused)
  const headers = new Headers({ "content-type": "application/problem+json" })
  if (problem.status === 401) headers.set("www-authenticate", 'DPoP algs="ES256"')
  if (problem.status === 429) headers.set("retry-after", retryAfter(problem.code))
  if (leavesBodyUnread(problem.code)) headers.set("connection", "close")
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}
