import type { Gate, ToolDefinition } from "@byleave/core"

/** All tools of one server as its connections list them: listings may differ by what a client can do, and the gate knows one server. */
export type ServerTools = {
  readonly see: (place: string, tools: readonly ToolDefinition[]) => Promise<void>
  readonly forget: (place: string) => void
  readonly names: () => readonly string[]
}

export function createServerTools(server: string, gate: Pick<Gate, "seeTools">): ServerTools {
  const byPlace = new Map<string, readonly ToolDefinition[]>()
  let last = ""
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
  }
  return {
    see: (place, tools) => {
      // The newest listing wins where two differ.
      byPlace.delete(place)
      byPlace.set(place, tools)
      const told = turn.then(tell)
      turn = told.catch(() => {})
      return told
    },
    forget: (place) => {
      if (byPlace.size > 1) byPlace.delete(place)
    },
    names: () => union().map((tool) => tool.name),
  }
}
