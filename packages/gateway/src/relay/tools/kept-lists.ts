/**
 * The lists of tools of one server's connections. Agents choose how many connections there are, and the server what each lists.
 *
 * I1. Definitions in the same words are kept once, as are lists of the same definitions, however many connections list them.
 * I2. Of what one principal's connections list so much is kept. What was read longest ago is forgotten then, and read again when it is needed.
 * I3. Room for a list of one principal takes none of another's, nor the list of a connection for which nobody declared anything.
 */
import { createHash } from "node:crypto"
import type { ToolDefinition } from "@byleave/core"
import type { ToolListing } from "./read-tools.ts"

/** Whose declarations a connection exists for. `forget`: it is to read its list again when that is next needed. */
export type ListOwner = { readonly principal: string; readonly forget: () => void }

export type KeptLists = {
  /** Keeps a connection's list, and gives it as it is kept. Null: nothing was declared for the connection. */
  readonly keep: (connection: string, listing: ToolListing, owner: ListOwner | null) => ToolListing
  /** The connection's list is the newest one again. It is at least of this tool. */
  readonly renew: (connection: string, tool: ToolDefinition) => void
  /** False: there was none. */
  readonly forget: (connection: string) => boolean
  readonly count: () => number
  /** Each once, the one that was read last at the end. */
  readonly lists: () => readonly ToolListing[]
}

type Kept = { readonly listing: ToolListing; readonly owner: ListOwner | null }

/** In characters of definitions: two of the longest lists, or a hundred of usual ones. */
const mostOfOne = 16 * 1024 * 1024

/** Of a connection whose list was forgotten. */
const nothing: ToolListing = { tools: [], cut: null }

export function createKeptLists(most = mostOfOne): KeptLists {
  /** By connection; the one that was read last is at the end. */
  const kept = new Map<string, Kept>()
  const digests = new WeakMap<ToolDefinition, string>()
  const sizes = new WeakMap<ToolListing, number>()

  function lists(): readonly ToolListing[] {
    const newestFirst = Array.from(kept.values(), ({ listing }) => listing).reverse()
    return [...new Set(newestFirst)].reverse()
  }

  function asKept(listing: ToolListing): ToolListing {
    const known = lists()
    if (known.includes(listing)) return listing
    const byDigest = new Map<string, ToolDefinition>()
    for (const { tools } of known) for (const tool of tools) byDigest.set(digests.get(tool) ?? "", tool)
    let size = 0
    const tools = listing.tools.map((tool) => {
      const text = JSON.stringify(tool)
      size += text.length
      const digest = createHash("sha256").update(text).digest("base64")
      digests.set(tool, digest)
      return byDigest.get(digest) ?? tool
    })
    const own = { tools, cut: listing.cut }
    const same = known.find((other) => isSameList(other, own)) ?? own
    sizes.set(same, size)
    return same
  }

  function makeRoom(connection: string, { principal }: ListOwner): void {
    const counted = new Set<ToolListing>()
    let size = 0
    for (const [name, { listing, owner }] of [...kept].reverse()) {
      if (owner?.principal !== principal || listing === nothing) continue
      if (!counted.has(listing)) size += sizes.get(listing) ?? 0
      counted.add(listing)
      if (size <= most || name === connection) continue
      kept.set(name, { listing: nothing, owner })
      owner.forget()
    }
  }

  function keep(connection: string, listing: ToolListing, owner: ListOwner | null): ToolListing {
    const shared = asKept(listing)
    kept.delete(connection)
    kept.set(connection, { listing: shared, owner })
    if (owner !== null) makeRoom(connection, owner)
    return shared
  }

  return {
    keep,
    renew: (connection, tool) => {
      const { listing = nothing, owner = null } = kept.get(connection) ?? {}
      keep(connection, listing === nothing ? { tools: [tool], cut: null } : listing, owner)
    },
    forget: (connection) => kept.delete(connection),
    count: () => kept.size,
    lists,
  }
}

function isSameList(one: ToolListing, other: ToolListing): boolean {
  return (
    one.cut === other.cut &&
    one.tools.length === other.tools.length &&
    one.tools.every((tool, at) => tool === other.tools[at])
  )
}
