/** That one page of a browser carries out what the store holds. The browser frees it when the page dies. */
export type Ownership = {
  /** Resolves when somebody took it away from us. */
  readonly lost: Promise<void>
  readonly release: () => void
}

/** Becomes the owner, or gives null where another page is. `isTaken`: takes it over, and the other page hears of it. */
export function holdOwnership(
  locks: LockManager,
  name: string,
  options: { readonly isTaken?: boolean } = {},
): Promise<Ownership | null> {
  return new Promise((resolve, reject) => {
    const held = Promise.withResolvers<void>()
    const over = Promise.withResolvers<void>()
    const how: LockOptions = options.isTaken === true ? { steal: true } : { ifAvailable: true }
    locks
      .request(name, how, (lock) => {
        if (lock === null) {
          resolve(null)
          return
        }
        resolve({ lost: over.promise, release: held.resolve })
        return held.promise
      })
      .then(
        () => {},
        (error: unknown) => {
          // A page that had it hears of the one that took it as an aborted request.
          if (error instanceof DOMException && error.name === "AbortError") over.resolve()
          else reject(error)
        },
      )
  })
}
