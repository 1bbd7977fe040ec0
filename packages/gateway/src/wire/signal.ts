/**
 * Says once that something was given up. Every `AbortSignal` is one; what comes with each request is one of ours, since most requests
 * end without it and the engine's own costs more than it is worth to them.
 */
export type Signal = {
  readonly aborted: boolean
  readonly addEventListener: (type: "abort", listener: () => void, options?: { readonly once: boolean }) => void
  readonly removeEventListener: (type: "abort", listener: () => void) => void
}

/** `abort` tells every listener, each once, in the order they came. */
export function createSignal(): Signal & { readonly abort: () => void } {
  return new OwnSignal()
}

/**
 * The work's result, or what `instead` gives once the signal says so; undefined there: it goes on. Unlike `Promise.race` with a promise of the signal's,
 * nothing of the work stays with a signal that outlives it.
 */
export function unlessAborted<T>(signal: Signal, work: Promise<T>, instead: () => Promise<T> | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      const given = instead()
      if (given !== undefined) resolve(given)
    }
    const over = (): void => signal.removeEventListener("abort", stop)
    work.then(
      (result) => {
        over()
        resolve(result)
      },
      (error: unknown) => {
        over()
        reject(error)
      },
    )
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
  })
}

/** `given` resolves when the signal says so. To be ended once nobody waits for it any more, since the signal may last. */
export function whenAborted(signal: Signal): { readonly given: Promise<void>; readonly end: () => void } {
  const { promise: given, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  else signal.addEventListener("abort", resolve, { once: true })
  return { given, end: () => signal.removeEventListener("abort", resolve) }
}

class OwnSignal {
  aborted = false
  // Hardly ever more than two.
  #listeners: Array<() => void> | null = null

  addEventListener(_type: "abort", listener: () => void): void {
    if (this.#listeners === null) this.#listeners = [listener]
    else if (!this.#listeners.includes(listener)) this.#listeners.push(listener)
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    const at = this.#listeners?.indexOf(listener) ?? -1
    if (at >= 0) this.#listeners?.splice(at, 1)
  }

  readonly abort = (): void => {
    if (this.aborted) return
    this.aborted = true
    const told = this.#listeners ?? []
    this.#listeners = null
    for (const listener of told) listener()
  }
}
