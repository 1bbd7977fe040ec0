/**
 * The tools one connection lists.
 *
 * I1. No definition is used before the gate has seen it.
 * I2. What was read before a change is not kept after it.
 * I3. A page that differs from what is known makes the whole list be read, and seen, again.
 */
import type { JsonObject, JsonValue, ToolDefinition } from "@byleave/core"
import { asObject, listAt } from "../wire/members.ts"

export type ToolMap = ReadonlyMap<string, ToolDefinition>

/** The tools one connection lists, read whole, shown to the gate before anyone else sees them, and read again when they may have changed. */
export type ToolList = {
  /** One of those that are known now; they may not be read yet, or anew. */
  readonly known: (name: string) => ToolDefinition | undefined
  readonly tools: () => Promise<ToolMap>
  /** Reads again, though not more than once in a while: agents may ask for names that do not exist as often as they like. */
  readonly again: () => Promise<ToolMap>
  /** A page as the server gave it to a caller; what it says is newer than what is known. */
  readonly seePage: (cursor: JsonValue | undefined, result: JsonObject) => Promise<void>
  readonly changed: () => void
}

export type ToolListPorts = {
  readonly read: () => Promise<readonly ToolDefinition[]>
  readonly see: (tools: readonly ToolDefinition[]) => Promise<void>
  readonly now: () => number
}

const againMs = 1_000

export function createToolList({ read, see, now }: ToolListPorts): ToolList {
  let known: ToolMap | null = null
  let reading: Promise<ToolMap> | null = null
  let readAt = Number.NEGATIVE_INFINITY
  let version = 0

  const adopt = async (tools: readonly ToolDefinition[]): Promise<ToolMap> => {
    const at = version
    await see(tools)
    const listed = new Map(tools.map((tool) => [tool.name, tool]))
    if (at === version) known = listed
    return listed
  }
  const readNow = (): Promise<ToolMap> => {
    if (reading !== null) return reading
    readAt = now()
    const pending = read().then(adopt)
    reading = pending
    const over = (): void => {
      if (reading === pending) reading = null
    }
    pending.then(over, over)
    return pending
  }
  const changed = (): void => {
    version += 1
    known = null
    reading = null
  }
  return {
    known: (name) => known?.get(name),
    tools: () => (known === null ? readNow() : Promise.resolve(known)),
    again: () => {
      if (known !== null && now() - readAt < againMs) return Promise.resolve(known)
      return readNow()
    },
    seePage: async (cursor, result) => {
      const tools = toolsOf(result)
      const isWhole = cursor === undefined && result.nextCursor === undefined
      if (known !== null && fits(known, tools, isWhole)) return
      changed()
      await (isWhole ? adopt(tools) : readNow())
    },
    changed,
  }
}

/** The definitions of a page; what has no name is no tool. */
export function toolsOf(result: JsonObject): readonly ToolDefinition[] {
  return (listAt(result, "tools") ?? []).flatMap((listed) => {
    const tool = asObject(listed)
    return typeof tool?.name === "string" ? [tool as ToolDefinition] : []
  })
}

function fits(known: ToolMap, tools: readonly ToolDefinition[], isWhole: boolean): boolean {
  if (isWhole && tools.length !== known.size) return false
  return tools.every((tool) => {
    const before = known.get(tool.name)
    return before !== undefined && JSON.stringify(before) === JSON.stringify(tool)
  })
}
