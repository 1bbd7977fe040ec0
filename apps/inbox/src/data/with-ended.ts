import type { SessionView } from "@byleave/api"

/** Nobody looks back at more. */
const mostEnded = 100

/** The sessions there are, and the last of those that were there before. */
export function withEnded(
  now: readonly SessionView[],
  before: ReadonlyMap<string, SessionView>,
): ReadonlyMap<string, SessionView> {
  const current = new Map(now.map((session) => [session.key, session]))
  const ended = [...before].filter(([key]) => !current.has(key)).slice(-mostEnded)
  return new Map([...ended, ...current])
}
