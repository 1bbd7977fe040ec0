import type { Effect } from "@byleave/core"
import type { ExportedAnswer } from "./export-losses.ts"
import { effectOn, effectOnRest, type PlainServer } from "./plain-policy.ts"

/** A server as a language without patterns says it: the answer for each known tool, and for all others. */
export type ToolTable = {
  readonly id: string
  readonly tools: ReadonlyMap<string, Effect>
  readonly rest: Effect
}

export function toolTable(server: PlainServer): ToolTable {
  const tools = new Map(server.known.map((tool) => [tool, effectOn(server, tool)]))
  return { id: server.id, tools, rest: effectOnRest(server) }
}

/** The known tools of a table with one of these effects. */
export function toolsWith({ tools }: ToolTable, ...effects: readonly Effect[]): readonly string[] {
  return [...tools].filter(([, effect]) => effects.includes(effect)).map(([tool]) => tool)
}

/** The answers of tables that a language has made out of those of the policy. */
export function tableAnswer(tables: readonly ToolTable[]): ExportedAnswer {
  const byId = new Map(tables.map((table) => [table.id, table]))
  return ({ id }, tool) => {
    const table = byId.get(id)
    if (table === undefined) return "ask"
    return (tool === null ? undefined : table.tools.get(tool)) ?? table.rest
  }
}

/** The same table with other answers; `said` is what the language has for an effect. */
export function translated(table: ToolTable, said: (effect: Effect) => Effect, rest: Effect): ToolTable {
  return { ...table, tools: new Map([...table.tools].map(([tool, effect]) => [tool, said(effect)])), rest }
}

/** For a language that only has a list of what runs unasked. */
export function allowOrAsk(effect: Effect): Effect {
  return effect === "allow" ? "allow" : "ask"
}

/** For a language that can refuse a tool, but not ask about one of a server whose tools run unasked. */
export function refuseOr(effect: Effect): Effect {
  return effect === "hide" ? "deny" : effect
}
