import type { CallResult, Conversation, Reply } from "./dialects/dialect.ts"

/** What the scripted model does, one call after the other. */
export type Step = { readonly tool: string; readonly args: Readonly<Record<string, string>> }

const searchTool = /^tool_?search$/i

/** Servers may still be starting when a client begins, so a search is repeated. */
const mostSearches = 40

/** The next move: the first step that has no result yet. Where tools are found by searching only, the model searches first. */
export function nextMove(steps: readonly Step[], conversation: Conversation): Reply {
  const { tools, results } = conversation
  const done = resultsOf(conversation).length
  const step = steps[done]
  if (step === undefined) return { kind: "text", text: "All of it is done." }
  const tool = offered(tools, step)
  if (tool !== undefined) return { kind: "call", id: `call_${done + 1}`, tool, args: step.args }
  const search = tools.find((name) => searchTool.test(name))
  const searched = results.filter((result) => searchTool.test(result.tool)).length
  if (search === undefined || searched >= mostSearches)
    return { kind: "text", text: `There is no ${step.tool} among the tools.` }
  const wanted = [...new Set(steps.map((each) => each.tool))].join(" ")
  return { kind: "call", id: `search_${searched + 1}`, tool: search, args: { query: wanted } }
}

/** Clients put the server's name before a tool's, each in its own way, and may have a tool of their own with the bare name. */
export function offered(tools: readonly string[], { tool }: Step): string | undefined {
  return tools.find((name) => name.endsWith(tool) && name.slice(0, -tool.length).includes("files"))
}

/** The results of the steps alone. */
export function resultsOf({ results }: Conversation): readonly CallResult[] {
  return results.filter(({ tool }) => !searchTool.test(tool))
}
