import type { SessionView } from "@byleave/api"

/** The session in which Byleave asks about its own configuration: the service neither ends it nor runs anything in it unasked. */
export function isOwnSession({ principal }: Pick<SessionView, "principal">): boolean {
  return principal === "byleave"
}
