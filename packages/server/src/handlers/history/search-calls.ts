/** Whether a call is one that somebody looks for by a few words: parts of words count, and each must be found somewhere. */
import type { RecordWithPayload, Session } from "@byleave/core"
import type { ApiService } from "../../service.ts"
import type { JudgedRecord, ToldCall } from "../../show/activity/call-view-of.ts"
import { recordViewOf } from "../../show/activity/read-record.ts"

/** Arguments beyond this size are not looked through; of so many calls at most for one page. */
export const searchedBytes = 16_384
export const mostSearched = 2_000

export type Search = (call: ToldCall, judged: JudgedRecord, others: readonly RecordWithPayload[]) => Promise<boolean>

/** Looks in the tool, the agent, the arguments as recorded, the rule, and the words of policy and people. */
export function searchFor(service: ApiService, text: string): Search {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const clientOf = clientNames(service)
  return async ({ view }, judged, others) => {
    const { tool, principal, session, why, rule, decidedBy } = view
    const told = [`${tool.server}(${tool.tool})`, principal, session.id, why, rule, decidedBy, judged.payload]
    const said = others
      .filter(({ type }) => type.startsWith("approval."))
      .map((record) => recordViewOf(record).body.reason)
    const all = [...told, ...said, await clientOf(session)].filter((part) => typeof part === "string")
    const found = all.join("\n").toLowerCase()
    return words.every((word) => found.includes(word))
  }
}

/** Sessions by what their client calls itself, each asked for once. */
function clientNames({
  sessionFacts,
}: ApiService): (session: Pick<Session, "principal" | "id">) => Promise<string | null> {
  const known = new Map<string, Promise<string | null>>()
  return (session) => {
    const key = JSON.stringify([session.principal, session.id])
    const name = known.get(key) ?? Promise.resolve(sessionFacts?.of(session)).then((fact) => fact?.client ?? null)
    known.set(key, name)
    return name
  }
}
