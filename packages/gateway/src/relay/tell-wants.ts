/**
 * What a server is told of what its clients want to hear: resources they subscribed to, and log lines from some level on.
 *
 * I1. A legacy server is told one thing after another, each by what is wanted at that moment: nothing older undoes what is newer.
 * I2. What a client's own request subscribed to is not subscribed to once more.
 */
import type { Link } from "../upstream/link.ts"
import type { Wants } from "./attendants.ts"
import { ownRequest } from "./own-request.ts"

/** What a legacy server knows by one connection. */
type Told = {
  readonly resources: Set<string>
  level: string | null
  /** How often it was told to unsubscribe. */
  unsubscribed: number
  /** Over when nothing is being told. */
  turn: Promise<void>
}

export type Wanted = { readonly wants: () => Wants; readonly level: () => string | null }

const toldBy = new WeakMap<Link, Told>()

function toldOver(link: Link): Told {
  const known = toldBy.get(link)
  if (known !== undefined) return known
  const fresh: Told = { resources: new Set(), level: null, unsubscribed: 0, turn: Promise.resolve() }
  toldBy.set(link, fresh)
  return fresh
}

export function tellWants(link: Link, wanted: Wanted): Promise<void> {
  if (link.era === "modern") {
    link.want(wanted.wants())
    return Promise.resolve()
  }
  const told = toldOver(link)
  const telling = told.turn.then(() => tellLegacy(link, told, wanted))
  told.turn = telling.catch(() => {})
  return telling
}

async function tellLegacy(link: Link, told: Told, { wants, level }: Wanted): Promise<void> {
  for (;;) {
    const { resources } = wants()
    const missing = firstOutside(resources, told.resources)
    const left = missing === undefined ? firstOutside(told.resources, resources) : undefined
    if (missing !== undefined) {
      told.resources.add(missing)
      await ownRequest(link, { method: "resources/subscribe", params: { uri: missing } })
    } else if (left !== undefined) {
      told.resources.delete(left)
      told.unsubscribed += 1
      await ownRequest(link, { method: "resources/unsubscribe", params: { uri: left } })
    } else break
  }
  const lowest = level()
  if (lowest === null || lowest === told.level) return
  told.level = lowest
  await ownRequest(link, { method: "logging/setLevel", params: { level: lowest } })
}

/**
 * A client is about to subscribe by a request of its own. The function that comes back notes that the server took it; where the server was told
 * to unsubscribe meanwhile, it may have been from the same resource, and nothing is noted.
 */
export function beginSubscribing(link: Link): (uri: string) => void {
  const told = toldOver(link)
  const { unsubscribed } = told
  return (uri) => {
    if (told.unsubscribed === unsubscribed) told.resources.add(uri)
  }
}

function firstOutside(some: ReadonlySet<string>, others: ReadonlySet<string>): string | undefined {
  for (const one of some) if (!others.has(one)) return one
  return undefined
}
