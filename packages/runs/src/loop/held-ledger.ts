import type { HeldCount, HeldExcess, RunHeldLimits } from "@byleave/core"

/** Says why a call with so many bytes of arguments cannot wait; null: it can, and counts from now on. */
export type HeldLedger = (bytes: number) => Promise<HeldExcess | null>

/** Counts the calls that one leg asks about, before they are held, with the waiting calls of its starter's other runs. */
export function createHeldLedger(limits: RunHeldLimits, ofStarter: () => Promise<HeldCount>): HeldLedger {
  let own: HeldCount = { calls: 0, bytes: 0 }
  let reading: Promise<HeldCount> | null = null
  return async (bytes) => {
    reading ??= ofStarter()
    const others = await reading
    const more = { calls: own.calls + 1, bytes: own.bytes + bytes }
    const excess =
      beyond("run", own, more, limits.perRun) ??
      beyond("starter", sum(others, own), sum(others, more), limits.perStarter)
    if (excess === null) own = more
    return excess
  }
}

function sum(a: HeldCount, b: HeldCount): HeldCount {
  return { calls: a.calls + b.calls, bytes: a.bytes + b.bytes }
}

function beyond(of: HeldExcess["of"], used: HeldCount, next: HeldCount, most: HeldCount): HeldExcess | null {
  for (const what of ["calls", "bytes"] as const) {
    if (next[what] > most[what]) return { of, what, most: most[what], used: used[what] }
  }
  return null
}
