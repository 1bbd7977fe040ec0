import type { Call, Session } from "../../call/call.ts"
import { CallError } from "../../call/call-error.ts"
import { longestName } from "../../call/text/longest-name.ts"

/** Names with half a character in them are stored as other names; a session of another principal is not this caller's. */
export function mustBeACall(call: Call): void {
  const { tool, principal, session, args, extraParams } = call
  mustBeName(tool.server, "The server's id")
  mustBeName(tool.tool, "The tool's name")
  mustBeName(principal.id, "The principal's id")
  mustBeSession(session)
  if (session.principal !== principal.id) {
    throw new CallError("bad-call", "A call's session must be one of its own principal.")
  }
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    throw new CallError("bad-call", "A call's arguments must be a JSON object; write {} for none.")
  }
  if (extraParams !== undefined && (typeof extraParams !== "object" || extraParams === null)) {
    throw new CallError("bad-call", "A call's extra params must be a JSON object; leave them out for none.")
  }
}

export function mustBeSession(session: Pick<Session, "principal" | "id">): void {
  mustBeName(session.principal, "The session's principal")
  mustBeName(session.id, "The session's id")
}

const halfCharacter = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

function mustBeName(name: unknown, what: string): void {
  if (typeof name !== "string" || halfCharacter.test(name)) {
    throw new CallError("bad-call", `${what} must be text without broken characters.`)
  }
  if (name.length > longestName) {
    throw new CallError("bad-call", `${what} has ${name.length} characters; ${longestName} may.`)
  }
}

/** A time that can be stored and compared. */
export function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value)
}
