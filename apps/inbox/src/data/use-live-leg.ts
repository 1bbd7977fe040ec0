import type { Client } from "@byleave/api"
import { applyRunEvent, type LiveLeg } from "@byleave/ui"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { useClient } from "./client.tsx"
import { storyKey } from "./use-run-story.ts"

/** As often as a model's words are drawn; the first after a pause at once. */
const drawMs = 50
const retryMs = 2_000

/** The leg under way as its stream tells it; null: there is none, or another process carries it out. */
export function useLiveLeg(id: string, isRunning: boolean, isOn = true): LiveLeg | null {
  const client = useClient()
  const queries = useQueryClient()
  const [live, setLive] = useState<LiveLeg | null>(null)
  useEffect(() => {
    const over = new AbortController()
    if (!isOn) return setLive(null)
    if (isRunning) void follow(client, id, over.signal, setLive)
    // The journal has the leg by now: its words are drawn from there before these go.
    else void queries.refetchQueries({ queryKey: storyKey(id) }).then(() => !over.signal.aborted && setLive(null))
    return () => over.abort()
  }, [client, queries, id, isRunning, isOn])
  return live
}

async function follow(
  client: Client,
  id: string,
  signal: AbortSignal,
  onLive: (live: LiveLeg | null) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const reply = await client.runEvents({ params: { id }, signal })
      if (!reply.ok && reply.problem.status < 500) return
      if (reply.ok) await drawEvents(reply.value, signal, onLive)
    } catch {
      // The connection was lost: the next one tells the leg from its beginning.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

type Events = Extract<Awaited<ReturnType<Client["runEvents"]>>, { ok: true }>["value"]

async function drawEvents(events: Events, signal: AbortSignal, onLive: (live: LiveLeg) => void): Promise<void> {
  let live: LiveLeg | null = null
  let isDue = false
  let drawnAt = 0
  const draw = (): void => {
    isDue = false
    drawnAt = performance.now()
    if (live !== null && !signal.aborted) onLive(live)
  }
  for await (const event of events) {
    if (event.type !== "part" && event.type !== "retry") continue
    live = applyRunEvent(live, event)
    if (isDue) continue
    isDue = true
    setTimeout(draw, Math.max(0, drawnAt + drawMs - performance.now()))
  }
}
