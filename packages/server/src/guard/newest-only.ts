/** Work of which only the newest counts for whoever asked: a newer one ends the one before. */
export type NewestOnly = {
  /** The signal is aborted once the same one asks again, or one of `also` is. */
  readonly begin: <Result>(
    who: string,
    also: readonly AbortSignal[],
    work: (ended: AbortSignal) => Promise<Result>,
  ) => Promise<Result>
}

export function createNewestOnly(): NewestOnly {
  const newest = new Map<string, AbortController>()
  return {
    begin: async (who, also, work) => {
      newest.get(who)?.abort()
      const own = new AbortController()
      newest.set(who, own)
      try {
        return await work(AbortSignal.any([own.signal, ...also]))
      } finally {
        if (newest.get(who) === own) newest.delete(who)
      }
    },
  }
}
