import type { ApprovalView, Client, CurrentContentView } from "@byleave/api"
import type { LoadCalls, LoadCurrent } from "@byleave/ui"
import { ReadError } from "./use-read.ts"

const atOnce = 4

/** Reads calls whole, a few at a time; those that are gone are left out. */
export function callLoader(client: Client): LoadCalls {
  return async (ids) => {
    const found: ApprovalView[] = []
    for (let at = 0; at < ids.length; at += atOnce) {
      const some = await Promise.all(ids.slice(at, at + atOnce).map((id) => readOne(client, id)))
      found.push(...some.flatMap((call) => call ?? []))
    }
    return found
  }
}

async function readOne(client: Client, id: string): Promise<ApprovalView | null> {
  const reply = await client.getApproval({ params: { id } })
  if (reply.ok) return reply.value
  if (reply.problem.code === "not-found") return null
  throw new ReadError(reply.problem)
}

/** Reads what the files of waiting calls hold now, a few at a time. */
export function currentLoader(client: Client): LoadCurrent {
  let turns: readonly Promise<unknown>[] = []
  return (id) => {
    const before = turns.at(-atOnce) ?? Promise.resolve()
    const turn = before.then(() => readCurrent(client, id))
    turns = [...turns.slice(1 - atOnce), turn]
    return turn
  }
}

async function readCurrent(client: Client, id: string): Promise<CurrentContentView | null> {
  try {
    const reply = await client.currentContent({ params: { id } })
    return reply.ok ? reply.value : null
  } catch {
    return null
  }
}
