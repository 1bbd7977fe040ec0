/**
 * The subscriptions of clients as told to their server: resources they subscribed to, and log lines from some level on.
 *
 * I1. A legacy server is told of one resource after another, each by what is wanted at that moment: nothing older undoes what is newer.
 * I2. What a client's own request subscribed to is not subscribed to once more.
 * I3. Principals take turns: however many resources one of them waits to be told of, another's next is told after one of each.
 */
import type { Link } from "../../upstream/link.ts"
import { type OnBehalf, ownRequest } from "../own-request.ts"
import type { WantedNotices } from "./notice-listeners.ts"
import type { HeldSubscription, ResourceSubscriptions } from "./subscriptions.ts"

/** The state that a legacy server knows over one connection. */
type Told = {
  readonly resources: Set<string>
  /** How often it was told to unsubscribe. */
  unsubscribed: number
  /** Resources of which something is to be told still, by principal; whose turn is next comes first. */
  readonly rows: Map<string, Row>
  isTelling: boolean
  level: string | null
  /** Over when no level is being told. */
  levelTurn: Promise<void>
  /** The level is to be told after that. */
  nextLevel: Promise<void> | null
}

type Row = { readonly due: Set<string>; problem: unknown; readonly over: PromiseWithResolvers<void> }

export type Wanted = {
  readonly wants: () => WantedNotices
  readonly subscriptions: Pick<ResourceSubscriptions, "has">
  readonly level: () => string | null
  readonly onBehalf: () => OnBehalf
}

const toldBy = new WeakMap<Link, Told>()

function toldOver(link: Link): Told {
  const known = toldBy.get(link)
  if (known !== undefined) return known
  const nothing = Promise.resolve()
  const fresh: Told = {
    resources: new Set(),
    unsubscribed: 0,
    rows: new Map(),
    isTelling: false,
    level: null,
    levelTurn: nothing,
    nextLevel: null,
  }
  toldBy.set(link, fresh)
  return fresh
}

/** Somebody began or ceased to listen to these. Over when all is told that was due for this principal. */
export async function tellResources(
  link: Link,
  wanted: Wanted,
  uris: Iterable<string>,
  principal: string,
): Promise<void> {
  if (link.era === "modern") return link.want(wanted.wants())
  const told = toldOver(link)
  let row: Row | null = null
  for (const uri of uris) {
    if (isDue(told, wanted, uri)) {
      row ??= rowOf(told, principal)
      row.due.add(uri)
    } else for (const other of told.rows.values()) other.due.delete(uri)
  }
  if (!told.isTelling) void tellAll(link, told, wanted)
  await row?.over.promise
}

/** A new connection: its server knows of nothing yet. */
export async function tellAnew(link: Link, wanted: Wanted, held: readonly HeldSubscription[]): Promise<void> {
  if (link.era === "modern") return link.want(wanted.wants())
  await Promise.all(held.map(({ uri, caller }) => tellResources(link, wanted, [uri], caller.principal.id)))
}

export function tellLevel(link: Link, wanted: Wanted): Promise<void> {
  if (link.era === "modern") return Promise.resolve()
  const told = toldOver(link)
  told.nextLevel ??= told.levelTurn.then(() => {
    told.nextLevel = null
    return tellLowest(link, told, wanted)
  })
  told.levelTurn = told.nextLevel.catch(() => {})
  return told.nextLevel
}

async function tellLowest(link: Link, told: Told, { level, onBehalf }: Wanted): Promise<void> {
  const lowest = level()
  if (lowest === null || lowest === told.level) return
  told.level = lowest
  await ownRequest(link, { method: "logging/setLevel", params: { level: lowest } }, onBehalf())
}

function isDue(told: Told, { subscriptions }: Wanted, uri: string): boolean {
  return subscriptions.has(uri) !== told.resources.has(uri)
}

function rowOf(told: Told, principal: string): Row {
  const known = told.rows.get(principal)
  if (known !== undefined) return known
  const row: Row = { due: new Set(), problem: undefined, over: Promise.withResolvers() }
  // Not everyone waits for it.
  row.over.promise.catch(() => {})
  told.rows.set(principal, row)
  return row
}

async function tellAll(link: Link, told: Told, wanted: Wanted): Promise<void> {
  told.isTelling = true
  // A row that is put back comes again, as does one that is added meanwhile.
  for (const [principal, row] of told.rows) {
    const [uri] = row.due
    if (uri !== undefined) {
      row.due.delete(uri)
      if (isDue(told, wanted, uri)) await tellOne(link, told, wanted, uri).catch(noteIn(row))
    }
    told.rows.delete(principal)
    if (row.due.size > 0) told.rows.set(principal, row)
    else if (row.problem === undefined) row.over.resolve()
    else row.over.reject(row.problem)
  }
  told.isTelling = false
}

function noteIn(row: Row): (problem: unknown) => void {
  return (problem) => {
    row.problem = problem
  }
}

async function tellOne(link: Link, told: Told, { onBehalf }: Wanted, uri: string): Promise<void> {
  if (told.resources.delete(uri)) {
    told.unsubscribed += 1
    await ownRequest(link, { method: "resources/unsubscribe", params: { uri } }, onBehalf())
  } else {
    told.resources.add(uri)
    await ownRequest(link, { method: "resources/subscribe", params: { uri } }, onBehalf())
  }
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
