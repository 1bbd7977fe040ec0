import { childMap } from "./map-of-lists.ts"

/** Values kept by three names. Agents choose names, so neither their number nor their length may grow without end. */
export type BoundedCache<T> = {
  readonly get: (principal: string, server: string, name: string) => T | undefined
  readonly put: (principal: string, server: string, name: string, value: T) => void
}

/** Forgets everything once it is full: its values can be computed anew. */
export function boundedCache<T>(most = 10_000, longest = 512): BoundedCache<T> {
  const byPrincipal = new Map<string, Map<string, Map<string, T>>>()
  let count = 0
  return {
    get: (principal, server, name) => byPrincipal.get(principal)?.get(server)?.get(name),
    put: (principal, server, name, value) => {
      if (principal.length + server.length + name.length > longest) return
      if (count >= most) {
        byPrincipal.clear()
        count = 0
      }
      childMap(childMap(byPrincipal, principal), server).set(name, value)
      count += 1
    },
  }
}
