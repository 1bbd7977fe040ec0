/**
 * A gate on a store that other services change as well: its last word on a call rests on what they have changed by then.
 *
 * I1. Before it says that a call may still run, what others committed until it was asked has been told here, and their policy is the one it judges by.
 * I2. Where that cannot be read within a few seconds, it says nothing: the call is not sent.
 */
import type { CallerGate } from "@byleave/core"

type HearingPorts = {
  /** As of the store. */
  readonly hear: () => Promise<void>
  /** As of the keeper of the configuration. */
  readonly follow: () => Promise<void>
  readonly pause: (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<void>
}

const patienceMs = 5_000

export function hearingFirst<Given extends Pick<CallerGate, "mayStillRun">>(gate: Given, ports: HearingPorts): Given {
  const catchUp = sharing(async () => {
    await ports.hear()
    await ports.follow()
  })
  return {
    ...gate,
    mayStillRun: async (...asked) => {
      await withinPatience(catchUp(), ports.pause)
      return gate.mayStillRun(...asked)
    },
  }
}

async function withinPatience(work: Promise<void>, pause: HearingPorts["pause"]): Promise<void> {
  const done = new AbortController()
  const tooLate = pause(patienceMs, undefined, { signal: done.signal }).then(() => {
    throw new Error("The store did not say in time what has changed.")
  })
  try {
    await Promise.race([work, tooLate])
  } finally {
    done.abort()
    tooLate.catch(() => {})
  }
}

/** All who ask while it works share the work that begins after it. */
function sharing(work: () => Promise<void>): () => Promise<void> {
  let present: Promise<void> | null = null
  let next: Promise<void> | null = null
  const begin = (): Promise<void> => {
    next = null
    const begun = work().finally(() => {
      if (present === begun) present = null
    })
    present = begun
    return begun
  }
  return () => {
    if (present === null) return begin()
    next ??= present.then(begin, begin)
    return next
  }
}
