/**
 * The listings that programs elsewhere reported to this process. Two programs may give a server the same name and list other tools.
 *
 * I1. No credential has more listings kept than it may, in number and in memory, nor more than a few of one server; another's are kept.
 * I2. All of them together take up no more than they may.
 */
import type { Hasher, ToolDefinition } from "@byleave/core"
import { definitionSize } from "./definition-size.ts"
import { withOwnTexts } from "./kept-body.ts"

/** Tools in the words of one listing. */
export type ListedTools = {
  readonly id: string
  /** The program itself is one more definition. */
  readonly tools: readonly ToolDefinition[]
  /** Of each tool's words, by its name. */
  readonly digests: ReadonlyMap<string, string>
  readonly bytes: number
}

/** A program's report of a server. */
export type ToldListing = ListedTools & { readonly server: string; readonly credential: string }

export type ToldListings = {
  readonly describe: (tools: readonly ToolDefinition[]) => ListedTools
  /** Equal listings of several programs are one listing. */
  readonly add: (server: string, credential: string, listed: ListedTools) => ToldListing
  /** The one of these names that was told of this server; undefined: this process knows none of them. */
  readonly find: (server: string, ids: readonly string[]) => ToldListing | undefined
  /** The definitions that other programs list for this server. */
  readonly elsewhere: (server: string, listed: ListedTools) => readonly ToolDefinition[]
  /** Whether the gate was told of this server by another listing since. */
  readonly isNewest: (server: string, listed: ListedTools) => boolean
  /** How many tools are not as the gate was told of this server last; none if it was told nothing. */
  readonly changes: (server: string, listed: ListedTools) => number
  readonly forget: (server: string) => void
}

/** Beyond so many the oldest are forgotten, and their programs are asked to report them again. */
export const mostListings = {
  ofServer: 8,
  ofCredential: 256,
  bytesOfCredential: 64_000_000,
  bytes: 256_000_000,
} as const
/** Servers whose last telling is remembered. */
const mostServers = 2_000

/** `instance` names this process, so that no other one's names are taken for its own. */
export function createToldListings(instance: string, hasher: Pick<Hasher, "sha256">): ToldListings {
  /** The oldest one is the first. */
  const listings = new Map<string, ToldListing>()
  const newest = new Map<string, Pick<ListedTools, "id" | "digests">>()
  const keyOf = (server: string, id: string): string => JSON.stringify([server, id])
  const forgetOldest = (those: (each: ToldListing) => boolean, most: { count?: number; bytes?: number }): void => {
    let { count = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY } = most
    for (const [key, each] of [...listings].reverse()) {
      if (!those(each)) continue
      count -= 1
      bytes -= each.bytes
      if (count < 0 || bytes < 0) listings.delete(key)
    }
  }
  return {
    describe: (told) => {
      // A call that waits may keep one of them, and must not keep all that they came with.
      const tools = told.map(withOwnTexts)
      const digests = new Map(tools.map((tool) => [tool.name, hasher.sha256(JSON.stringify(tool))]))
      const bytes = tools.reduce((sum, tool) => sum + definitionSize(tool).bytes, 0)
      return { id: `${instance} ${hasher.sha256(JSON.stringify([...digests]))}`, tools, digests, bytes }
    },
    add: (server, credential, listed) => {
      const key = keyOf(server, listed.id)
      const listing = { ...(listings.get(key) ?? listed), server, credential }
      listings.delete(key)
      listings.set(key, listing)
      newest.delete(server)
      newest.set(server, { id: listed.id, digests: listed.digests })
      const isOwn = (each: ToldListing): boolean => each.credential === credential
      forgetOldest((each) => isOwn(each) && each.server === server, { count: mostListings.ofServer })
      forgetOldest(isOwn, { count: mostListings.ofCredential, bytes: mostListings.bytesOfCredential })
      forgetOldest(() => true, { bytes: mostListings.bytes })
      for (const oldest of newest.keys()) {
        if (newest.size <= mostServers) break
        newest.delete(oldest)
      }
      return listing
    },
    find: (server, ids) => ids.map((id) => listings.get(keyOf(server, id))).find((listing) => listing !== undefined),
    elsewhere: (server, { id }) =>
      [...listings.values()].flatMap((each) => (each.server === server && each.id !== id ? each.tools : [])),
    isNewest: (server, { id }) => newest.get(server)?.id === id,
    changes: (server, { digests }) => {
      const last = newest.get(server)?.digests
      if (last === undefined) return 0
      return [...digests].filter(([name, digest]) => last.get(name) !== digest).length
    },
    forget: (server) => {
      newest.delete(server)
      for (const [key, each] of listings) if (each.server === server) listings.delete(key)
    },
  }
}
