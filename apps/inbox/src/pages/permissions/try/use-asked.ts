import type { Client, Problem, ServiceReply } from "@byleave/api"
import { useRef, useState } from "react"
import { useClient } from "../../../data/client.tsx"
import { problemOf } from "../../../data/use-read.ts"

export type AskedEffects<Value> = {
  readonly value: Value | null
  readonly problem: Problem | null
  readonly isBusy: boolean
  /** Its answer, or null when the question has been taken back meanwhile. */
  readonly ask: (question: (client: Client) => Promise<ServiceReply<Value>>) => Promise<ServiceReply<Value> | null>
  /** Takes the question back: an answer to what stood there before is not shown for what stands there now. */
  readonly forget: () => void
}

/** Asks the service once, at a press; what the rest of the page shows stays as it is, since nothing changes by asking. */
export function useAsked<Value>(): AskedEffects<Value> {
  const client = useClient()
  const [value, setValue] = useState<Value | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const current = useRef(0)
  const begin = (busy: boolean): number => {
    current.current += 1
    setBusy(busy)
    setProblem(null)
    setValue(null)
    return current.current
  }
  return {
    value,
    problem,
    isBusy,
    ask: async (question) => {
      const mine = begin(true)
      const reply = await answered(question(client))
      if (mine !== current.current) return null
      setBusy(false)
      if (reply.ok) setValue(reply.value)
      else setProblem(reply.problem)
      return reply
    },
    forget: () => void begin(false),
  }
}

async function answered<Value>(asked: Promise<ServiceReply<Value>>): Promise<ServiceReply<Value>> {
  try {
    return await asked
  } catch (error) {
    return { ok: false, problem: problemOf(error as Error) }
  }
}
