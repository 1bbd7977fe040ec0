/** A leg that this process carries out, and how it hears that its run was ended or goes on elsewhere. */
import type { CallerGate, RunGate, RunningRun } from "@byleave/core"
import type { RunsOptions } from "./runs.ts"

export type ActiveLeg = {
  readonly run: RunningRun
  readonly stop: AbortController
  ended: Promise<void>
  /** Told when it has ended. */
  readonly followers: Set<() => void>
  /** Lines that the leg has written and whose events have not come yet: what one's own lines tell is known. */
  ownLines: number
  /** The size of the run, with the lines that the leg has written. */
  bytes: () => number
  /** A look at the run that is under way; `again`: something has happened since it began. */
  looking: "once" | "again" | null
}

/** A line that cannot be written has no event; then the leg stops anyway. */
export function countingLines(gate: RunsOptions["gate"], leg: ActiveLeg): RunsOptions["gate"] {
  return {
    ...gate,
    journalLines: (run, lines) => {
      leg.ownLines += 1
      return gate.journalLines(run, lines)
    },
  }
}

/** Stops a leg whose run was ended or goes on elsewhere. One look at a time will do. */
export async function lookAfter(gate: RunGate, leg: ActiveLeg): Promise<void> {
  if (leg.looking !== null) {
    leg.looking = "again"
    return
  }
  try {
    do {
      leg.looking = "once"
      const run = await gate.run(leg.run.id)
      const isOwn = run?.status === "running" && run.owner === leg.run.owner && run.legs === leg.run.legs
      if (!isOwn) return leg.stop.abort()
    } while (isAgain(leg))
  } finally {
    leg.looking = null
  }
}

function isAgain({ looking }: ActiveLeg): boolean {
  return looking === "again"
}

/** Resolves with the next event about the approval, or when it is told to stop. */
export function changeOf(gate: Pick<CallerGate, "events">, approval: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      unsubscribe()
      signal.removeEventListener("abort", end)
      resolve()
    }
    const unsubscribe = gate.events(({ subject }) => {
      if (subject === approval) end()
    })
    signal.addEventListener("abort", end, { once: true })
    if (signal.aborted) end()
  })
}

/** Leaves nothing with the leg, whose end may be far off, once it was told to stop. */
export function untilEnded(leg: ActiveLeg | undefined, signal: AbortSignal | undefined): Promise<void> {
  if (leg === undefined || signal?.aborted === true) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      leg.followers.delete(end)
      signal?.removeEventListener("abort", end)
      resolve()
    }
    leg.followers.add(end)
    signal?.addEventListener("abort", end, { once: true })
  })
}

export function runChange(gate: Pick<CallerGate, "events">, id: string, signal: AbortSignal | undefined) {
  const next = Promise.withResolvers<void>()
  const unsubscribe = gate.events((event) => {
    if (event.type === "agent-run.changed" && event.subject === id) stop()
  })
  const stop = (): void => {
    unsubscribe()
    signal?.removeEventListener("abort", stop)
    next.resolve()
  }
  signal?.addEventListener("abort", stop, { once: true })
  return { next: next.promise, stop }
}
