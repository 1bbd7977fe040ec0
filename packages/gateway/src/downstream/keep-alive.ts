/** One timer for all open responses, however many are held. */
export type KeepAlive = { readonly add: (beat: () => void) => void; readonly remove: (beat: () => void) => void }

export function createKeepAlive(everyMs: number): KeepAlive & { readonly stop: () => void } {
  const beats = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  return {
    add: (beat) => {
      beats.add(beat)
      timer ??= setInterval(() => {
        for (const each of beats) each()
      }, everyMs).unref()
    },
    remove: (beat) => {
      beats.delete(beat)
      if (beats.size === 0) stop()
    },
    stop,
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }
}
