import type { AnswerOf, Client, InputOf, Problem, Routes, ServiceReply } from "@byleave/api"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useClient } from "./client.tsx"
import { useLiveConnection, useRetry } from "./live/live.tsx"
import { familiesOf } from "./page-queries.ts"
import { type ActName, isChangedBy } from "./shown-by.ts"

/** A request that has to be computed first is handed over at once: it is busy from the press on, not from when it is sent. */
type Now<T> = T | Promise<T>

type Act<Name extends ActName> = {
  /** True when the service did it. Never pretends: what is shown changes when the service says so. */
  readonly act: (input: Now<InputOf<Routes[Name]>>) => Promise<ServiceReply<AnswerOf<Routes[Name]>>>
  readonly isBusy: boolean
  readonly problem: Problem | null
  readonly forget: () => void
}

/** Does something by a route of the API; what that changes is read again afterwards. While the line is lost it refuses at once. */
export function useAct<Name extends ActName>(name: Name): Act<Name> {
  const client = useClient()
  const queries = useQueryClient()
  const line = useLiveConnection()
  const retry = useRetry()
  const [busy, setBusy] = useState(0)
  const [problem, setProblem] = useState<Problem | null>(null)
  const act = async (input: Now<InputOf<Routes[Name]>>): Promise<ServiceReply<AnswerOf<Routes[Name]>>> => {
    setProblem(null)
    if (line?.state === "lost") {
      retry()
      setProblem(notSent)
      return { ok: false, problem: notSent }
    }
    setBusy((count) => count + 1)
    const reply = await ask(client, name, await input)
    setBusy((count) => count - 1)
    if (!reply.ok) setProblem(reply.problem)
    if (reply.ok) void queries.invalidateQueries({ predicate: (query) => isChangedBy(familiesOf(query), name) })
    // The page showed something outdated: it reads everything again, as people are told to.
    else if (reply.problem.code === "digest-mismatch") void queries.invalidateQueries()
    return reply
  }
  return { act, isBusy: busy > 0, problem, forget: () => setProblem(null) }
}

async function ask<Name extends ActName>(client: Client, name: Name, input: InputOf<Routes[Name]>) {
  type Answer = ServiceReply<AnswerOf<Routes[Name]>>
  try {
    return await (client[name] as (input: object) => Promise<Answer>)(input)
  } catch {
    return { ok: false, problem: notAnswered } as Answer
  }
}

const gone = { type: "about:blank", title: "Service unreachable", status: 503, code: "unavailable" } as const

const notSent: Problem = {
  ...gone,
  detail:
    "Byleave could not be reached, so nothing was sent and nothing was decided. Try again while this page is connected.",
}

const notAnswered: Problem = {
  ...gone,
  detail:
    "Byleave did not respond, so it is not known yet whether this arrived. The page will show it once it reconnects.",
}

/** The service may have done it all the same. */
export function mayHaveArrived(problem: Problem): boolean {
  return problem === notAnswered
}
