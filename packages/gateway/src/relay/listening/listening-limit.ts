/**
 * How many resources of one server a principal listens to at once.
 *
 * I1. All listening requests and conversations of a principal count together, from the moment they ask to listen.
 */
import type { ServerConnection } from "../server-connection.ts"
import { weightOf } from "./subscriptions.ts"

/** Each is told to the server, judged again when the policy changes, and told anew over every new connection. */
const mostResources = 1_000

export type ListeningLimit = {
  /** Counts these until the returned function is called; null: there are too many. */
  readonly claim: (principal: string, uris: Iterable<string>) => (() => void) | null
}

export function createListeningLimit(connections: () => Iterable<Pick<ServerConnection, "listeners">>): ListeningLimit {
  const claimed = new Map<string, number>()
  const add = (principal: string, count: number): void => {
    const now = (claimed.get(principal) ?? 0) + count
    if (now > 0) claimed.set(principal, now)
    else claimed.delete(principal)
  }
  const heldBy = (principal: string): number => {
    let held = claimed.get(principal) ?? 0
    for (const { listeners } of connections()) held += listeners.subscriptions.inConversations(principal)
    return held
  }
  return {
    claim: (principal, uris) => {
      const count = weightOfAll(uris)
      if (count > 0 && heldBy(principal) + count > mostResources) return null
      add(principal, count)
      let isOver = false
      return () => {
        if (!isOver) add(principal, -count)
        isOver = true
      }
    },
  }
}

/** Whether they are more than one principal may listen to, whatever it listens to already. */
export function areTooMany(uris: Iterable<string>): boolean {
  return weightOfAll(uris) > mostResources
}

function weightOfAll(uris: Iterable<string>): number {
  let weight = 0
  for (const uri of uris) weight += weightOf(uri)
  return weight
}

export function tooManyResources(server: string): string {
  return `An agent may listen to ${mostResources} resources of ${server} at once, where a name of more than 512 characters counts as several, and this would be more. Nothing was subscribed to. End a subscription, or name fewer resources.`
}
