import type { RunView } from "@byleave/api"
import { useRouter } from "@tanstack/react-router"
import { useState } from "react"
import { useAct } from "../../data/use-act.ts"
import type { Setup } from "./use-setup.ts"

/** Sends a message into the thread, or begins one with it; and stops what is under way. */
export function useSending(id: string | null, run: RunView | null, setup: Setup) {
  const router = useRouter()
  const starting = useAct("startRun")
  const continuing = useAct("continueRun")
  const stopping = useAct("stopRun")
  const [isStopped, setStopped] = useState(false)
  /** The state of the thread that a message was sent to. */
  const [sentTo, setSentTo] = useState<string | null>(null)
  const stateNow = run === null ? null : `${run.id} ${run.version}`
  const acts = [starting, continuing, stopping]
  const query = { wait: 0 }
  return {
    send: async (text: string, title: string, deniesWaiting: boolean): Promise<boolean> => {
      if (id === null) {
        const body = { principal: "chat" as const, prompt: text, title, ...setup.chosen }
        const reply = await starting.act({ query, body })
        if (reply.ok) void router.navigate({ to: "/chat/$id", params: { id: reply.value.run_id } } as never)
        return reply.ok
      }
      const denied = deniesWaiting ? { denyWaiting: true as const } : {}
      const body = { message: text, ...denied, ...setup.changed }
      setSentTo(stateNow)
      const reply = await continuing.act({ params: { id }, query, body })
      if (!reply.ok) setSentTo(null)
      return reply.ok
    },
    stop: () => {
      if (id === null) return
      setStopped(true)
      void stopping.act({ params: { id } }).finally(() => setStopped(false))
    },
    /** A reply is about to begin: the page listens before it reads that it did. */
    isExpected: sentTo !== null && sentTo === stateNow,
    isBusy: starting.isBusy || continuing.isBusy,
    isStopping: (isStopped || stopping.isBusy) && (run?.status === "running" || run?.status === "paused"),
    problem: acts.find(({ problem }) => problem !== null)?.problem ?? null,
    forget: () => {
      for (const act of acts) act.forget()
    },
  }
}
