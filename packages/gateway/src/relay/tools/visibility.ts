/**
 * The entries that a session may see in listings.
 *
 * I1. What one session may see is never another's answer.
 * I2. Nothing is remembered past a change of what it rests on.
 * I3. A judgement that failed is not remembered, and lets nobody see anything.
 * I4. Nothing that an agent can cause by itself is a change for other sessions than its own.
 * I5. Nobody sees a name that is longer than a call may have: it is not even judged.
 */
import {
  type Call,
  type CallerGate,
  decisionScope,
  type Effect,
  longestName,
  type Session,
  type StoreEvent,
  sessionKey,
  type Target,
} from "@byleave/core"

type Who = Pick<Call, "principal" | "session">

/** The policy's decisions on names in listings, remembered per session until something they rest on changes. */
export type Visibility = {
  readonly effect: (target: Target, who: Who) => Promise<Effect>
  readonly isHidden: (target: Target, who: Who) => Promise<boolean>
  /** Counts up with what judgements of this session rest on: one holds as long as this is the same. */
  readonly changes: (session: Session) => number
  readonly stop: () => void
}

const hidden: Promise<Effect> = Promise.resolve("hide")
const mostSessions = 10_000
/** Of all sessions together: one that lists much leaves room for others. */
const mostNames = 200_000
const mostCharacters = 20_000_000

/** `onChange`: what may be told may have changed. Only rules and people's word on definitions hide: a grant or a mode is no reason to list anew. */
export function createVisibility(
  gate: Pick<CallerGate, "judge" | "events">,
  onChange: (changed: "policy" | "definitions") => void,
): Visibility {
  const bySession = new Map<string, Map<string, Promise<Effect>>>()
  let names = 0
  /** Of names since all were forgotten last; what single sessions forget is not counted back. */
  let characters = 0
  const forgetAll = (): void => {
    bySession.clear()
    names = 0
    characters = 0
  }
  let changes = 0
  let everyonesLast = 0
  const lastOf = new Map<string, number>()
  const stop = gate.events((event: StoreEvent) => {
    const scope = decisionScope(event)
    if (scope === null) return
    changes += 1
    if (scope === "session" && lastOf.size < mostSessions) {
      names -= bySession.get(event.subject)?.size ?? 0
      bySession.delete(event.subject)
      lastOf.set(event.subject, changes)
      return
    }
    everyonesLast = changes
    lastOf.clear()
    forgetAll()
    if (event.type === "policy.changed") onChange("policy")
    if (event.type === "definition.changed") onChange("definitions")
  })
  const effect = (target: Target, who: Who): Promise<Effect> => {
    if (target.name.length > longestName) return hidden
    const key = sessionKey(who.session)
    let known = bySession.get(key)
    if (known === undefined) {
      if (bySession.size >= mostSessions) forgetAll()
      known = new Map()
      bySession.set(key, known)
    }
    const name = JSON.stringify([target.server, target.kind, target.name])
    const found = known.get(name)
    if (found !== undefined) return found
    if (names >= mostNames || characters >= mostCharacters) {
      forgetAll()
      return effect(target, who)
    }
    names += 1
    characters += name.length
    const judged = gate.judge(target, undefined, who).then((decision) => decision.effect)
    known.set(name, judged)
    judged.catch(() => {
      if (known.delete(name) && bySession.get(key) === known) names -= 1
    })
    return judged
  }
  return {
    effect,
    isHidden: async (target, who) => (await effect(target, who)) === "hide",
    changes: (session) => (lastOf.size === 0 ? everyonesLast : (lastOf.get(sessionKey(session)) ?? everyonesLast)),
    stop,
  }
}
