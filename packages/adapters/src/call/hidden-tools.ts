import type { AdapterOptions } from "./adapter-options.ts"

/** The tools among these that policy hides from this agent: they are not listed for the model, and are refused if it calls them anyway. */
export async function hiddenTools(options: AdapterOptions, tools: readonly string[]): Promise<ReadonlySet<string>> {
  const { gate, server, principal, session } = options
  const caller = {
    principal,
    session: { principal: principal.id, id: session ?? principal.id, named: session !== undefined },
  }
  const effects = await Promise.all(
    tools.map(async (tool) => {
      const { effect } = await gate.judge({ kind: "tool", server, name: tool }, undefined, caller)
      return { tool, hidden: effect === "hide" }
    }),
  )
  return new Set(effects.filter(({ hidden }) => hidden).map(({ tool }) => tool))
}
