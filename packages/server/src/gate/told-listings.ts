import { portableHasher, type ToolDefinition } from "@byleave/core"

/** A program's report of a server: its tools, and the program itself as one more definition. */
export type ToldListing = { readonly id: string; readonly tools: readonly ToolDefinition[] }

/** The listings that programs elsewhere reported to this process. Two programs may give a server the same name and list other tools. */
export type ToldListings = {
  /** Equal listings of several programs are one listing. */
  readonly add: (server: string, tools: readonly ToolDefinition[]) => ToldListing
  /** The one of these names that was told of this server; undefined: this process knows none of them. */
  readonly find: (server: string, ids: readonly string[]) => ToldListing | undefined
  /** The definitions that other programs list for this server. */
  readonly elsewhere: (server: string, tools: readonly ToolDefinition[]) => readonly ToolDefinition[]
  /** Whether the gate was told of this server by another listing since. */
  readonly isNewest: (server: string, listing: ToldListing) => boolean
  readonly forget: (server: string) => void
}

/** Beyond so many the oldest are forgotten, and their programs are asked to report them again. */
const most = 256

/** `instance` names this process, so that no other one's names are taken for its own. */
export function createToldListings(instance: string): ToldListings {
  const listings = new Map<string, ToldListing & { readonly server: string }>()
  const newest = new Map<string, ToldListing>()
  const keyOf = (server: string, id: string): string => JSON.stringify([server, id])
  return {
    add: (server, tools) => {
      const id = `${instance} ${portableHasher.sha256(JSON.stringify(tools))}`
      const key = keyOf(server, id)
      const listing = listings.get(key) ?? { id, tools, server }
      listings.delete(key)
      listings.set(key, listing)
      newest.set(server, listing)
      for (const oldest of listings.keys()) {
        if (listings.size <= most) break
        listings.delete(oldest)
      }
      return listing
    },
    find: (server, ids) => ids.map((id) => listings.get(keyOf(server, id))).find((listing) => listing !== undefined),
    elsewhere: (server, tools) =>
      [...listings.values()].flatMap((each) => (each.server === server && each.tools !== tools ? each.tools : [])),
    isNewest: (server, listing) => newest.get(server) === listing,
    forget: (server) => {
      newest.delete(server)
      for (const [key, each] of listings) if (each.server === server) listings.delete(key)
    },
  }
}
