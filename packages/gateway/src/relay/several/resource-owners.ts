/**
 * Whose resource each agent was told an address is.
 *
 * I1. An address that an agent was told leads to the server it was told of, though another lists the same one by now.
 */
export type ResourceOwners = {
  readonly tell: (principal: string, uri: string, server: string) => void
  readonly of: (principal: string, uri: string) => string | undefined
}

/** Of each principal, and of principals: the oldest is forgotten then, and looked up anew. */
const mostAddresses = 10_000
const mostPrincipals = 1_000
const longestAddress = 1_024

export function createResourceOwners(): ResourceOwners {
  const owners = new Map<string, Map<string, string>>()
  return {
    tell: (principal, uri, server) => {
      if (uri.length > longestAddress) return
      const known = owners.get(principal) ?? new Map<string, string>()
      keep(owners, principal, known, mostPrincipals)
      keep(known, uri, server, mostAddresses)
    },
    of: (principal, uri) => owners.get(principal)?.get(uri),
  }
}

function keep<T>(all: Map<string, T>, key: string, value: T, most: number): void {
  all.delete(key)
  all.set(key, value)
  const [oldest] = all.keys()
  if (all.size > most && oldest !== undefined) all.delete(oldest)
}
