/**
 * How much of what is known of sessions is one agent's or program's: anybody can open as many as they like, and the others' stay in sight.
 *
 * I1. Of one agent, and of one token with all agents that its program names, no more is shown or kept than its share; of others' nothing is lost.
 * I2. Sessions that called something, or have a client there, come before those that were only opened.
 * I3. A list as a whole has an end, of one token and in all, whatever is remembered; sessions that decisions rest on or calls wait in come first.
 */
import type { Session } from "@byleave/core"
import type { SessionFact } from "./session-facts.ts"

/** A token's name; a program may name any number of agents below its own. */
export function tokenOf(principal: string): string {
  const [token = principal] = principal.split(":", 1)
  return token
}

const shownPerAgent = 20
const shownPerToken = 100

/** The sessions that a list shows. `isThere`: whether a client of the session is connected. */
export function inFairShares(
  facts: readonly SessionFact[],
  isThere: (session: SessionFact["session"]) => boolean,
): readonly SessionFact[] {
  const matters = new Map(facts.map((fact) => [fact, fact.firstCall !== null || isThere(fact.session) ? 1 : 0]))
  const ranked = facts.toSorted((a, b) => (matters.get(b) ?? 0) - (matters.get(a) ?? 0) || b.lastSeenAt - a.lastSeenAt)
  const ofAgent = counter()
  const ofToken = counter()
  return ranked.filter(
    ({ session: { principal } }) => ofAgent(principal) <= shownPerAgent && ofToken(tokenOf(principal)) <= shownPerToken,
  )
}

const listedPerToken = 200
const listedInAll = 1_000

/** The most of a list, those that matter first. */
export function withinList<Listed extends { readonly session: Session }>(
  all: readonly Listed[],
  matters: (one: Listed) => boolean,
): readonly Listed[] {
  const ranked = [...all.filter(matters), ...all.filter((one) => !matters(one))]
  const ofToken = counter()
  return ranked.filter(({ session }) => ofToken(tokenOf(session.principal)) <= listedPerToken).slice(0, listedInAll)
}

function counter(): (name: string) => number {
  const counts = new Map<string, number>()
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count
  }
}
