/**
 * The gate's view of a server that may list different tools to each connection.
 *
 * I1. A telling that failed was none: it is told again.
 * I2. A tool counts as told only in the very words that were told last.
 * I3. Tellings go one after the other, so that the last one said is the newest.
 * I4. What agents may be told is not remembered past a change of what it rests on.
 * I5. A list that is another one each time it is read takes up a small part of everybody's time and of the record: the next telling waits for each tool that changed,
 *     after a long list for a multiple of what the last took, and what came meanwhile is told at once.
 */
import { type CallerGate, createTellingRest, type Pace, type ToolDefinition } from "@byleave/core"
import { createKeptLists, type ListOwner } from "./kept-lists.ts"
import type { ToolListing } from "./read-tools.ts"
import type { ToolMap } from "./tool-list.ts"

/** All tools of one server as its connections list them: listings may differ by what a client can do, and the gate knows one server. */
export type ServerTools = {
  /** Gives the listing as it is kept: several connections may list the same. `owner`: null where nothing was declared for the connection. */
  readonly see: (connection: string, listing: ToolListing, owner?: ListOwner | null) => Promise<ToolListing>
  /** Whether the gate was last told of this tool as it stands here. */
  readonly isTold: (tool: ToolDefinition) => boolean
  /** Makes a connection's listing the one the gate goes by: a caller is judged by the listing of its own connection. */
  readonly standFor: (connection: string, tool: ToolDefinition) => Promise<void>
  readonly forget: (connection: string) => void
  /** Tools as agents may be told of them; remembered until `definitionsChanged`. */
  readonly offered: (tools: ToolMap) => Promise<ToolMap>
  /** The same, where it is remembered. */
  readonly offeredNow: (tools: ToolMap) => ToolMap | undefined
  /** The definitions that agents may be told may have changed. */
  readonly definitionsChanged: () => void
  readonly names: () => readonly string[]
  /** The omissions from a list that is too long, in words for people; null: none. */
  readonly cut: () => string | null
}

/** As many as connections that list differently usually are. */
const earlierTellings = 4

const usualPace: Pace = {
  now: () => performance.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
}

export function createServerTools(
  server: string,
  gate: Pick<CallerGate, "seeTools" | "offeredTools">,
  pace = usualPace,
): ServerTools {
  const kept = createKeptLists()
  /** Counts listings; those up to `toldUpTo` were told. */
  let seen = 0
  let toldUpTo = 0
  const rest = createTellingRest(pace)
  let last = ""
  let told: ReadonlyMap<string, ToolDefinition> = new Map()
  let earlier: ReadonlyArray<typeof told> = []
  /** Listed elsewhere in the same words as what was told; compared once. */
  let alike = new WeakSet<ToolDefinition>()
  let turn: Promise<void> = Promise.resolve()
  let offers = new WeakMap<ToolMap, ToolMap>()
  const union = (): readonly ToolDefinition[] => {
    const byName = new Map<string, ToolDefinition>()
    for (const { tools } of kept.lists()) for (const tool of tools) byName.set(tool.name, tool)
    return [...byName.values()]
  }
  /** The differing definitions that other connections list under a name. */
  const elsewhere = (telling: readonly ToolDefinition[]): readonly ToolDefinition[] => {
    if (kept.count() < 2) return []
    const newest = new Set(telling)
    return kept.lists().flatMap(({ tools }) => tools.filter((tool) => !newest.has(tool)))
  }
  const isIn = (telling: typeof told, tool: ToolDefinition): boolean => {
    const known = telling.get(tool.name)
    return known === tool || (known !== undefined && JSON.stringify(known) === JSON.stringify(tool))
  }
  const wasTold = (tool: ToolDefinition): boolean => isIn(told, tool)
  const wasToldLately = (tool: ToolDefinition): boolean =>
    wasTold(tool) || earlier.some((telling) => isIn(telling, tool))
  const isTelling = (tools: readonly ToolDefinition[]): boolean =>
    last !== "" && tools.length === told.size && tools.every((tool) => told.get(tool.name) === tool)
  const tell = async (): Promise<void> => {
    if (toldUpTo === seen) return
    // The very definitions that were told last: nothing is to be compared.
    if (isTelling(union())) {
      toldUpTo = seen
      return
    }
    // A list in the words that were told last has nothing to wait for.
    if (JSON.stringify(union()) !== last) await rest.over()
    const upTo = seen
    const tools = union()
    const text = JSON.stringify(tools)
    if (text !== last) await tellAnew(tools, text)
    toldUpTo = upTo
  }
  const tellAnew = async (tools: readonly ToolDefinition[], text: string): Promise<void> => {
    const began = pace.now()
    const isFirst = last === ""
    const changes = isFirst ? 0 : tools.filter((tool) => !wasToldLately(tool)).length
    await gate.seeTools(server, tools, elsewhere(tools))
    // Connections that list differently take turns: their words are no news, and nobody waits long for them.
    const isNews = isFirst || changes > 0
    rest.after({ began, tools: tools.length, characters: text.length, changes, isNews })
    last = text
    offers = new WeakMap()
    earlier = [told, ...earlier].slice(0, earlierTellings)
    told = new Map(tools.map((tool) => [tool.name, tool]))
    alike = new WeakSet()
  }
  // The newest listing wins where two differ.
  const tellNewest = (): Promise<void> => {
    seen += 1
    const telling = turn.then(tell)
    turn = telling.catch(() => {})
    return telling
  }
  return {
    see: async (connection, listing, owner = null) => {
      const shared = kept.keep(connection, listing, owner)
      await tellNewest()
      return shared
    },
    isTold: (tool) => {
      if (alike.has(tool)) return true
      if (!wasTold(tool)) return false
      alike.add(tool)
      return true
    },
    standFor: (connection, tool) => {
      kept.renew(connection, tool)
      return tellNewest()
    },
    forget: (connection) => {
      if (kept.count() > 1 && kept.forget(connection)) seen += 1
    },
    offeredNow: (tools) => offers.get(tools),
    offered: async (tools) => {
      const known = offers.get(tools)
      if (known !== undefined) return known
      const asked = offers
      const offered = await gate.offeredTools(server, [...tools.values()])
      const byName = new Map(offered.map((tool) => [tool.name, tool]))
      asked.set(tools, byName)
      return byName
    },
    definitionsChanged: () => {
      offers = new WeakMap()
    },
    names: () => union().map((tool) => tool.name),
    cut: () => kept.lists().find(({ cut }) => cut !== null)?.cut ?? null,
  }
}
