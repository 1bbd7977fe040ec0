import type { SessionView } from "@byleave/api"
import { countOf } from "@byleave/ui"

/** The effects of ending a session, a sentence each. */
export function endingWords({ waiting, grants, mode, refused }: SessionView): readonly string[] {
  return [
    waiting === 0 ? null : `${countOf(waiting, "waiting call is", "waiting calls are")} withdrawn and will not run.`,
    grants.length === 0 ? null : `${countOf(grants.length, "permission is", "permissions are")} revoked.`,
    mode === "ask" ? null : "Its mode ends: calls need approval again.",
    refused.length === 0 ? null : `${countOf(refused.length, "blocked tool", "blocked tools")} may be called again.`,
    "The agent itself is not stopped. If it calls again, a new session starts without these permissions.",
  ].filter((words) => words !== null)
}
