import { followLeg, type LiveLeg } from "@byleave/ui"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { useClient } from "./client.tsx"
import { storyKey } from "./use-run-story.ts"

/** The leg under way as its stream tells it; null: there is none, or another process carries it out. */
export function useLiveLeg(id: string, isRunning: boolean, isOn = true): LiveLeg | null {
  const client = useClient()
  const queries = useQueryClient()
  const [live, setLive] = useState<LiveLeg | null>(null)
  useEffect(() => {
    const over = new AbortController()
    if (!isOn) return setLive(null)
    if (isRunning) {
      const open = async (signal: AbortSignal) => {
        const reply = await client.runEvents({ params: { id }, signal })
        if (reply.ok) return reply.value
        if (reply.problem.status < 500) return null
        throw new Error(reply.problem.detail)
      }
      void followLeg({ open, signal: over.signal, onLive: setLive })
    }
    // The journal has the leg by now: its words are drawn from there before these go.
    else void queries.refetchQueries({ queryKey: storyKey(id) }).then(() => !over.signal.aborted && setLive(null))
    return () => over.abort()
  }, [client, queries, id, isRunning, isOn])
  return live
}
