import type { RunView } from "@byleave/api"
import type { ChosenSetup, Draft } from "@byleave/ui/chat"
import { useState } from "react"
import { useAct } from "../../data/use-act.ts"

/** Sends a message into the thread, or begins one with it; and stops what is under way. */
export function useSending(id: string | null, run: RunView | null, setup: ChosenSetup) {
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
    /** Gives the thread's id; null: the message was refused. */
    send: async (said: SaidMessage, title: string, deniesWaiting: boolean): Promise<string | null> => {
      if (id === null) {
        const body = { principal: "chat" as const, ...asMessage(said, "prompt"), title, ...setup.chosen }
        const reply = await starting.act({ query, body })
        return reply.ok ? reply.value.run_id : null
      }
      const denied = deniesWaiting ? { denyWaiting: true as const } : {}
      const body = { ...asMessage(said, "message"), ...denied, ...setup.changed }
      // The message goes out before the page opens the reply's stream.
      const answered = continuing.act({ params: { id }, query, body })
      setSentTo(stateNow)
      const reply = await answered
      if (!reply.ok) setSentTo(null)
      return reply.ok ? id : null
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

type SaidMessage = { readonly text: string; readonly pictures: Draft["pictures"] }

/** Words alone by the plain field of the request; with pictures, a message of parts. */
function asMessage<Field extends "prompt" | "message">({ text, pictures }: SaidMessage, field: Field) {
  if (pictures.length === 0) return { [field]: text } as Record<Field, string>
  const files = pictures.map(({ name, mediaType, data }) => ({
    type: "file" as const,
    mediaType,
    data,
    ...(name === "" ? {} : { filename: name.slice(0, 200) }),
  }))
  const words = text === "" ? [] : [{ type: "text" as const, text }]
  return { messages: [{ role: "user" as const, content: [...files, ...words] }] }
}
