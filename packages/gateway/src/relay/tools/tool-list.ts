/**
 * The tools one connection lists.
 *
 * I1. No definition is used before the gate has seen it.
 * I2. What was read before a change is not kept after it.
 * I3. A page that differs from what is known makes the whole list be read, and seen, again.
 * I4. A list that is older than it may be is read again before it is used.
 */
import type { JsonObject, JsonValue, ToolDefinition } from "@byleave/core"
import { limitTools, type ToolListing, type ToolListLimits, toolsOf } from "./read-tools.ts"

export type ToolMap = ReadonlyMap<string, ToolDefinition>

/** The tools one connection lists, read whole, shown to the gate before anyone else sees them, and read again when they may have changed. */
export type ToolList = {
  /** The current tools; null: they are not read yet, or have to be read anew. */
  readonly known: () => ToolMap | null
  /** The tools that were read last, though they may have changed since; null: none were. */
  readonly last: () => ToolMap | null
  readonly tools: () => Promise<ToolMap>
  /** Reads again, though not more than once in a while: agents may ask for names that do not exist as often as they like. */
  readonly again: () => Promise<ToolMap>
  /** Reads now, even if a list is known or being read, in the turn of a call that waits for it; only such calls use this. */
  readonly anew: () => Promise<ToolMap>
  /** A page as the server gave it to a caller; what it says is newer than what is known. */
  readonly seePage: (cursor: JsonValue | undefined, result: JsonObject) => Promise<void>
  readonly changed: () => void
  /** Keeps nothing of what was read: it is read again when it is needed. */
  readonly forget: () => void
  /** Whether the list that is known is longer than what was read of it. */
  readonly isCut: () => boolean
}

export type ToolListPorts = {
  /** `inTurn`: for a call that has its turn at the server. */
  readonly read: (inTurn: boolean) => Promise<ToolListing>
  /** Gives it as it is kept: lists that are the same may be one. */
  readonly see: (listing: ToolListing) => Promise<ToolListing>
  readonly limits: ToolListLimits
  /** How long a list that is read now may be used. */
  readonly goodMs: () => number
  readonly now: () => number
}

/** A list is read for an unknown name after a second, and after twenty times what reading it took: a long list is not read all the time. */
const againMs = 1_000
const againTimes = 20
/** A list that changes while it is read for a call is read again, so often. */
const mostReads = 3

export function createToolList({ read, see, limits, goodMs, now }: ToolListPorts): ToolList {
  let known: ToolMap | null = null
  let last: ToolMap | null = null
  let isCut = false
  let reading: Promise<ToolMap> | null = null
  let goodUntil = 0
  let readAt = Number.NEGATIVE_INFINITY
  let tookMs = 0
  let version = 0
  /** Counts changes that were announced or are feared. */
  let changes = 0

  const adopt = async (read: ToolListing, at: number): Promise<ToolMap> => {
    const listing = await see(read)
    const isSame = known !== null && isCut === (listing.cut !== null) && fits(known, listing.tools, true)
    // An unchanged list stays the same object, so that results others derived from it stay with it.
    const listed = isSame && known !== null ? known : mapOf(listing)
    if (at !== version) return listed
    known = listed
    last = listed
    isCut = listing.cut !== null
    goodUntil = now() + goodMs()
    return listed
  }
  const readNow = (): Promise<ToolMap> => {
    if (reading !== null) return reading
    readAt = now()
    const at = version
    const pending = read(false).then((listing) => adopt(listing, at))
    reading = pending
    const over = (): void => {
      tookMs = now() - readAt
      if (reading === pending) reading = null
    }
    pending.then(over, over)
    return pending
  }
  const changed = (): void => {
    version += 1
    changes += 1
    known = null
    reading = null
  }
  const good = (): ToolMap | null => (now() < goodUntil ? known : null)
  return {
    known: good,
    last: () => last,
    tools: () => {
      const listed = good()
      return listed === null ? readNow() : Promise.resolve(listed)
    },
    anew: async () => {
      for (let reads = 0; reads < mostReads; reads += 1) {
        version += 1
        reading = null
        const before = changes
        const listed = await adopt(await read(true), version)
        if (before === changes) return listed
      }
      throw new Error("Its tools kept changing while they were listed.")
    },
    again: () => {
      if (good() !== null && known !== null && now() - readAt < Math.max(againMs, againTimes * tookMs))
        return Promise.resolve(known)
      return readNow()
    },
    seePage: async (cursor, result) => {
      const tools = toolsOf(result)
      const isWhole = cursor === undefined && result.nextCursor === undefined
      if (known !== null && (isCut ? fitsCut(known, tools) : fits(known, tools, isWhole))) return
      changed()
      await (isWhole ? adopt(limitTools(tools, limits), version) : readNow())
    },
    changed,
    forget: () => {
      version += 1
      known = null
      last = null
      reading = null
    },
    isCut: () => isCut,
  }
}

const maps = new WeakMap<ToolListing, ToolMap>()

/** One for each list, so that results that others derive from it are there for all who list the same. */
function mapOf(listing: ToolListing): ToolMap {
  const made = maps.get(listing) ?? new Map(listing.tools.map((tool) => [tool.name, tool]))
  maps.set(listing, made)
  return made
}

function fits(known: ToolMap, tools: readonly ToolDefinition[], isWhole: boolean): boolean {
  if (isWhole && tools.length !== known.size) return false
  return tools.every((tool) => {
    const before = known.get(tool.name)
    return before !== undefined && isSameDefinition(before, tool)
  })
}

/** Pages of a list that was cut hold tools that are not known, and reading it again would find no more of them. */
function fitsCut(known: ToolMap, tools: readonly ToolDefinition[]): boolean {
  return tools.every((tool) => {
    const before = known.get(tool.name)
    return before === undefined || isSameDefinition(before, tool)
  })
}

export function isSameDefinition(one: ToolDefinition, other: ToolDefinition): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
