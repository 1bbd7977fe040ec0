const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Resolves with the first signal to stop; a second one ends the process at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let isAsked = false
    const stop = (): void => {
      if (isAsked) process.exit(1)
      isAsked = true
      resolve()
    }
    for (const signal of signals) process.on(signal, stop)
  })
}
