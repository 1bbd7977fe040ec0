// Open pages, as far as events go: one connection each. Arguments: the service's address and its data folder. Told a number on its channel, it
// follows with that many; when all of them have an event, it says when each had it, on the clock that all processes share.
import type { EventView } from "@byleave/api"
import { reviewerOf } from "../../gateway/held.ts"
import { sharedClock } from "../shared-clock.ts"

export type Told = "following" | Heard | { readonly problem: string }
export type Heard = { readonly type: string; readonly subject: string; readonly at: readonly number[] }

const [url = "", folder = ""] = process.argv.slice(2)
const client = await reviewerOf(folder, url)
let current = new AbortController()

process.on("message", (count: number) => {
  current.abort()
  current = new AbortController()
  follow(count, current.signal).catch((cause: unknown) => tell({ problem: String(cause) }))
})
process.once("disconnect", () => process.exit())

/** Those that are open together, and who of them has heard what. */
type Round = { readonly count: number; standing: number; readonly heard: Map<number, number[]> }

async function follow(count: number, signal: AbortSignal): Promise<void> {
  const round: Round = { count, standing: 0, heard: new Map() }
  const streams = await Promise.all(Array.from({ length: count }, () => open(signal)))
  for (const events of streams) {
    listen(events, round).catch((cause: unknown) => {
      if (!signal.aborted) tell({ problem: String(cause) })
    })
  }
}

async function open(signal: AbortSignal): Promise<AsyncIterable<EventView>> {
  const reply = await client.events({ signal })
  if (!reply.ok) throw new Error(reply.problem.detail)
  return reply.value
}

/** None may come twice or out of order; one that never comes is missed by who waits for it. */
async function listen(events: AsyncIterable<EventView>, round: Round): Promise<void> {
  let last = -1
  for await (const event of events) {
    const at = sharedClock()
    if (event.seq <= last) throw new Error(`Event ${event.seq} came after ${last}.`)
    last = event.seq
    if (event.type === "stream.opened") stand(round)
    else note(round, event, at)
  }
  throw new Error("The service closed the stream.")
}

function stand(round: Round): void {
  round.standing++
  if (round.standing === round.count) tell("following")
}

function note({ heard, count }: Round, { seq, type, subject }: EventView, now: number): void {
  const at = heard.get(seq) ?? []
  at.push(now)
  heard.set(seq, at)
  if (at.length < count) return
  heard.delete(seq)
  tell({ type, subject, at })
}

function tell(told: Told): void {
  process.send?.(told)
}
