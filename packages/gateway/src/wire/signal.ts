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
  let listeners: Set<() => void> | null = null
  let aborted = false
  return {
    get aborted() {
      return aborted
    },
    addEventListener: (_type, listener) => {
      listeners ??= new Set()
      listeners.add(listener)
    },
    removeEventListener: (_type, listener) => {
      listeners?.delete(listener)
    },
    abort: () => {
      if (aborted) return
      aborted = true
      const told = listeners ?? []
      listeners = null
      for (const listener of told) listener()
    },
  }
}
