import type { RunEventView } from "@byleave/api"
import type { Runs } from "@byleave/runs"
import { toldPart } from "@byleave/runs/told-part"

/** The news of a run, until it is told to stop. */
export async function* eventsOf(runs: Runs, id: string, signal: AbortSignal | undefined): AsyncIterable<RunEventView> {
  const queue: RunEventView[] = []
  let wake = (): void => {}
  const stop = runs.watch(id, (news) => {
    if (news.type !== "part") queue.push(news)
    else {
      const part = toldPart(news.part)
      if (part !== null) queue.push({ type: "part", leg: news.leg, part } as RunEventView)
    }
    wake()
  })
  signal?.addEventListener("abort", () => wake(), { once: true })
  try {
    while (signal?.aborted !== true) {
      const next = queue.shift()
      if (next !== undefined) yield next
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    stop()
  }
}
