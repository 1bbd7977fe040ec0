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
