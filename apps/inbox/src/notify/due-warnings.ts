import type { WaitingCall } from "../data/live/waiting-table.ts"
import { endOf, nowMs } from "../pages/waiting/list/urgency.ts"

/** Calls that end within a minute and were not warned of. A call that was given more time may be warned of again. */
export function dueWarnings(
  calls: readonly WaitingCall[],
  warned: ReadonlySet<string>,
  now: number,
): readonly WaitingCall[] {
  return calls.filter((call) => {
    const end = endOf(call)
    return end !== null && end > now && end - now <= nowMs && !warned.has(warningOf(call))
  })
}

export function warningOf(call: WaitingCall): string {
  return `${call.id} ${endOf(call)}`
}
