/**
 * Waiting for a leg of a run, and hearing it.
 *
 * I1. Nothing of a run but its summary is read or kept while somebody waits for it, however many do.
 */
import type { RunSummary } from "@byleave/core"
import type { RunNews } from "@byleave/runs"
import type { ResponsesWorld } from "../responses-world.ts"
import type { LegRef } from "../wire/ids.ts"
import { createPartReader, type LegEvent } from "./leg-events.ts"
import { readLegs } from "./stored-leg.ts"

type Ports = Pick<ResponsesWorld, "gate" | "runs" | "reads">

/** Resolves once the leg has ended, or will never begin, or when told to stop waiting. */
export async function untilEnded(ports: Ports, at: LegRef, signal: AbortSignal): Promise<void> {
  const changes = changesOf(ports, at.run, signal)
  // Only its end matters: the journal has it all.
  let hasEnded = false
  const stopWatching = ports.runs.watch(at.run, (news) => {
    if (news.leg !== at.leg || news.type !== "leg-ended") return
    hasEnded = true
    changes.wake()
  })
  try {
    while (!signal.aborted && !hasEnded) {
      const changed = changes.next()
      if (isOver(await ports.gate.runSummary(at.run), at.leg)) return
      if (!hasEnded) await changed
    }
  } finally {
    stopWatching()
    changes.stop()
  }
}

/** The events of a leg, from its beginning to its end: live where this process carries it out, else from the journal once it is over. */
export function followLeg(ports: Ports, at: LegRef, signal: AbortSignal): AsyncGenerator<LegEvent, void> {
  return eventsOf(ports, at, signal, (bytes) =>
    ports.reads.finish(bytes, async () => (await readLegs(ports.gate, at.run)).get(at.leg)?.events() ?? []),
  )
}

/** `past`: the events of a leg that is over; so many bytes are read for them. */
async function* eventsOf(
  ports: Ports,
  at: LegRef,
  signal: AbortSignal,
  past: (bytes: number) => Promise<readonly LegEvent[]>,
): AsyncGenerator<LegEvent, void> {
  const { gate, runs } = ports
  const read = createPartReader()
  const heard: RunNews[] = []
  const changes = changesOf(ports, at.run, signal)
  const stopWatching = runs.watch(at.run, (news) => {
    if (news.leg !== at.leg) return
    heard.push(news)
    changes.wake()
  })
  let isLive = false
  try {
    while (!signal.aborted) {
      const changed = changes.next()
      for (const news of heard.splice(0)) {
        if (news.type === "leg-ended") return
        isLive = true
        if (news.type === "part") yield* read(news.part)
      }
      const run = await gate.runSummary(at.run)
      if (heard.length > 0) continue
      if (isOver(run, at.leg)) {
        if (!isLive) yield* await past(run?.bytes ?? 0)
        return
      }
      await changed
    }
  } finally {
    stopWatching()
    changes.stop()
  }
}

/** Whether the leg has ended, or will never begin. */
function isOver(run: RunSummary | undefined, leg: number): boolean {
  if (run === undefined || run.legs > leg) return true
  return run.legs === leg ? run.status !== "running" : run.status !== "running" && run.status !== "paused"
}

/** Resolves once the leg has begun, or never will, or when told to stop waiting. */
export async function untilBegun(ports: Ports, at: LegRef, signal: AbortSignal): Promise<void> {
  const changes = changesOf(ports, at.run, signal)
  try {
    while (!signal.aborted) {
      const changed = changes.next()
      const run = await ports.gate.runSummary(at.run)
      if (isOver(run, at.leg) || run?.legs === at.leg) return
      await changed
    }
  } finally {
    changes.stop()
  }
}

/** `next` is taken before looking, so that no change between the look and the wait is missed. */
function changesOf({ gate }: Ports, run: string, signal: AbortSignal) {
  let coming = Promise.withResolvers<void>()
  const wake = (): void => coming.resolve()
  const unsubscribe = gate.events((event) => {
    if (event.type === "agent-run.changed" && event.subject === run) wake()
  })
  signal.addEventListener("abort", wake)
  return {
    wake,
    next: (): Promise<void> => {
      coming = Promise.withResolvers<void>()
      return coming.promise
    },
    stop: (): void => {
      unsubscribe()
      signal.removeEventListener("abort", wake)
    },
  }
}
