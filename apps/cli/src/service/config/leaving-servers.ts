/**
 * Which servers run, and which of them are replaced and may still take calls: an old one that ignores its end takes seconds, and nothing that restricts
 * waits for it.
 *
 * I1. Of where a server works, the gate is told only once every older one of its id has ended.
 */
import type { InForce, KnownServer } from "./plan-change.ts"

export type LeavingServers = {
  /** As the gate may know `next`: without the servers that are, or are about to be, started otherwise. */
  readonly knownOf: (next: InForce) => InForce
  /** The servers of `next` run now; those they replace are gone at `ended`. */
  readonly replaced: (next: InForce, ended: Promise<void>) => void
}

/** `onEnd`: more may be told. */
export function leavingServers(
  start: InForce,
  onEnd: () => void,
  onTrouble: (trouble: unknown) => void,
): LeavingServers {
  let running = start.servers
  const leaving = new Set<ReadonlySet<string>>()
  return {
    knownOf: (next) => {
      const unknown = [movedBetween(running, next.servers), ...leaving]
      const known = next.servers.filter(({ id }) => !unknown.some((ids) => ids.has(id)))
      return known.length === next.servers.length ? next : { ...next, servers: known }
    },
    replaced: (next, ended) => {
      const moved = movedBetween(running, next.servers)
      running = next.servers
      if (moved.size > 0) leaving.add(moved)
      const end = (): void => {
        if (leaving.delete(moved)) onEnd()
      }
      ended.catch(onTrouble).then(end, onTrouble)
    },
  }
}

/** Servers that ran, and are gone or started otherwise. */
function movedBetween(before: readonly KnownServer[], after: readonly KnownServer[]): ReadonlySet<string> {
  const next = new Map(after.map(({ id, start }) => [id, start]))
  return new Set(before.flatMap(({ id, start, config }) => (config === null || next.get(id) === start ? [] : [id])))
}
