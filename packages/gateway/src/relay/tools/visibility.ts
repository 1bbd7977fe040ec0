/**
 * What a session may see in listings.
 *
 * I1. What one session may see is never another's answer.
 * I2. Nothing is remembered past a change of what it rests on.
 * I3. A judgement that failed is not remembered, and lets nobody see anything.
 */
import { type Call, type Effect, type Gate, type StoreEvent, sessionKey, type Target } from "@byleave/core"

type Who = Pick<Call, "principal" | "session">

/** What policy says of names in listings, remembered per session until something it rests on changes. */
export type Visibility = {
  readonly effect: (target: Target, who: Who) => Promise<Effect>
  readonly isHidden: (target: Target, who: Who) => Promise<boolean>
  /** How often something has changed that judgements rest on: a judgement holds as long as this is the same. */
  readonly changes: () => number
  readonly stop: () => void
}

const mostSessions = 10_000

/** `onChange`: what may be told may have changed. Only rules and people's word on definitions hide: a grant or a mode is no reason to list anew. */
export function createVisibility(
  gate: Pick<Gate, "judge" | "events">,
  onChange: (changed: "policy" | "definitions") => void,
): Visibility {
  const bySession = new Map<string, Map<string, Promise<Effect>>>()
  let changes = 0
  const stop = gate.events((event: StoreEvent) => {
    if (event.type.startsWith("approval.")) return
    changes += 1
    bySession.clear()
    if (event.type === "policy.changed") onChange("policy")
    if (event.type === "definition.changed") onChange("definitions")
  })
  const effect = (target: Target, who: Who): Promise<Effect> => {
    const key = sessionKey(who.session)
    let known = bySession.get(key)
    if (known === undefined) {
      if (bySession.size >= mostSessions) bySession.clear()
      known = new Map()
      bySession.set(key, known)
    }
    const name = JSON.stringify([target.server, target.kind, target.name])
    const found = known.get(name)
    if (found !== undefined) return found
    const judged = gate.judge(target, undefined, who).then((decision) => decision.effect)
    known.set(name, judged)
    judged.catch(() => known.delete(name))
    return judged
  }
  return {
    effect,
    isHidden: async (target, who) => (await effect(target, who)) === "hide",
    changes: () => changes,
    stop,
  }
}
