/**
 * What the gate is told of a server that may tell each connection something else.
 *
 * I1. A telling that failed was none: it is told again.
 * I2. A tool counts as told only in the very words that were told last.
 * I3. Tellings go one after the other, so that the last one said is the newest.
 */
import type { Gate, ToolDefinition } from "@byleave/core"

/** All tools of one server as its connections list them: listings may differ by what a client can do, and the gate knows one server. */
export type ServerTools = {
  readonly see: (place: string, tools: readonly ToolDefinition[]) => Promise<void>
  /** Whether the gate was last told of this tool as it stands here. */
  readonly isTold: (tool: ToolDefinition) => boolean
  /** A place's listing becomes what the gate goes by: whoever calls is judged by what their own connection lists. */
  readonly standFor: (place: string, tool: ToolDefinition) => Promise<void>
  readonly forget: (place: string) => void
  readonly names: () => readonly string[]
}

export function createServerTools(server: string, gate: Pick<Gate, "seeTools">): ServerTools {
  const byPlace = new Map<string, readonly ToolDefinition[]>()
  let last = ""
  let told: ReadonlyMap<string, ToolDefinition> = new Map()
  /** Listed elsewhere in the same words as what was told; compared once. */
  let alike = new WeakSet<ToolDefinition>()
  let turn: Promise<void> = Promise.resolve()
  const union = (): readonly ToolDefinition[] => {
    const byName = new Map<string, ToolDefinition>()
    for (const tools of byPlace.values()) for (const tool of tools) byName.set(tool.name, tool)
    return [...byName.values()]
  }
  const tell = async (): Promise<void> => {
    const tools = union()
    const text = JSON.stringify(tools)
    if (text === last) return
    await gate.seeTools(server, tools)
    last = text
    told = new Map(tools.map((tool) => [tool.name, tool]))
    alike = new WeakSet()
  }
  const see = (place: string, tools: readonly ToolDefinition[]): Promise<void> => {
    // The newest listing wins where two differ.
    byPlace.delete(place)
    byPlace.set(place, tools)
    const telling = turn.then(tell)
    turn = telling.catch(() => {})
    return telling
  }
  return {
    see,
    isTold: (tool) => {
      const known = told.get(tool.name)
      if (known === tool || alike.has(tool)) return true
      if (known === undefined || JSON.stringify(known) !== JSON.stringify(tool)) return false
      alike.add(tool)
      return true
    },
    standFor: (place, tool) => see(place, byPlace.get(place) ?? [tool]),
    forget: (place) => {
      if (byPlace.size > 1) byPlace.delete(place)
    },
    names: () => union().map((tool) => tool.name),
  }
}
