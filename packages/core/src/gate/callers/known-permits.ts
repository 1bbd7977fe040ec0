/** The approved calls nobody waits for, by session, as far as this process has heard. */
export type Permits = {
  readonly add: (session: string, approval: string) => void
  /** Returns the session's permits and forgets them. */
  readonly take: (session: string) => readonly string[]
}

export function createPermits(): Permits {
  const bySession = new Map<string, Set<string>>()
  return {
    add: (session, approval) => {
      bySession.set(session, (bySession.get(session) ?? new Set()).add(approval))
    },
    take: (session) => {
      const found = bySession.get(session)
      bySession.delete(session)
      return found === undefined ? [] : [...found]
    },
  }
}
