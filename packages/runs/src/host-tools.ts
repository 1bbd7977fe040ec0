import type { Call, CallerGate, JsonObject, JsonValue, RunContext, RunOutcome } from "@byleave/core"
import type { OfferedTool, ToolSource } from "./tools.ts"

/** A function of the host program, offered to the model beside the tools of servers. One that throws has failed. */
export type HostTool = {
  readonly description?: string
  readonly inputSchema: JsonObject
  readonly run: (args: JsonObject, context: Pick<RunContext, "cancelled">) => Promise<JsonValue>
}

export type NamedHostTools = { readonly [tool: string]: HostTool }

export type HostToolsOptions = {
  /** Judged like any tool, under a server's name that no configured server has. */
  readonly gated: { readonly [server: string]: NamedHostTools }
  /** The names of the configured servers. */
  readonly servers: readonly string[]
  /** Where the tools of those servers come from; absent: there are none. */
  readonly source?: ToolSource
  /** Says what policy hides: the model is not told of it. */
  readonly gate: Pick<CallerGate, "judge">
}

/** Tools of servers and gated functions of the host program as one source. */
export function withHostTools({ gated, servers, source, gate }: HostToolsOptions): ToolSource {
  const taken = Object.keys(gated).find((server) => servers.includes(server))
  if (taken !== undefined)
    throw new TypeError(`There is a server "${taken}" already: give your functions another name.`)
  const own = Object.entries(gated).flatMap(([server, tools]) =>
    Object.entries(tools).map(([tool, host]) => ({ offered: offeredTool(server, tool, host), host })),
  )
  const keyOf = (server: string, tool: string): string => JSON.stringify([server, tool])
  const byRef = new Map(own.map(({ offered: { ref }, host }) => [keyOf(ref.server, ref.tool), host]))
  return {
    ...(source?.changes === undefined ? {} : { changes: source.changes }),
    list: async (wanted, who) => {
      const others = wanted.filter((server) => !Object.hasOwn(gated, server))
      const listed = (await source?.list(others, who)) ?? { tools: [], unreachable: [] }
      const tools = [...listed.tools]
      for (const { offered } of own) {
        const { server, tool } = offered.ref
        if (!wanted.includes(server)) continue
        const { effect } = await gate.judge({ server, kind: "tool", name: tool }, undefined, who)
        if (effect !== "hide") tools.push(offered)
      }
      return { ...listed, tools }
    },
    call: async (call, args, context) => {
      const host = byRef.get(keyOf(call.tool.server, call.tool.tool))
      if (host !== undefined) return runHostTool(host, args, context)
      return source === undefined ? noSuchTool(call) : source.call(call, args, context)
    },
  }
}

export async function runHostTool(
  host: HostTool,
  args: JsonObject,
  context: Pick<RunContext, "cancelled">,
): Promise<RunOutcome> {
  try {
    const result = await host.run(args, context)
    const shown = typeof result === "string" ? { content: [{ type: "text", text: result }] } : result
    return { kind: "succeeded", result: shown }
  } catch (cause) {
    return { kind: "failed", error: cause instanceof Error ? cause.message : String(cause) }
  }
}

function offeredTool(server: string, tool: string, { description, inputSchema }: HostTool): OfferedTool {
  const name = `${server}__${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64)
  return { ref: { server, tool }, name, inputSchema, ...(description === undefined ? {} : { description }) }
}

function noSuchTool({ tool }: Call): RunOutcome {
  return { kind: "failed", error: `There is no server "${tool.server}".` }
}
