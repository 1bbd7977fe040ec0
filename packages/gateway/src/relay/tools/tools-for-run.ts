/**
 * The tools that an agent run of Byleave's own may offer its model.
 *
 * I1. A server that takes long keeps no run from the tools of the others: what it listed before stands for it, or it is left out.
 */
import type { Call, JsonObject, ToolRef } from "@byleave/core"
import { objectAt } from "@byleave/core"
import { toolNames } from "../../wire/names/tool-names.ts"
import type { ServerBackend } from "../server-backend.ts"
import { inTime } from "../several/in-time.ts"
import { absentCaller } from "./prepare-run.ts"

/** A tool as an agent run of Byleave's own offers it to its model. */
export type RunTool = {
  readonly ref: ToolRef
  /** Unique among the tools of these servers, as on `/mcp`. */
  readonly name: string
  readonly description?: string
  readonly inputSchema: JsonObject
  /** As its server lists it, whatever agents are told of it: calls are judged by this. */
  readonly listed: NonNullable<Call["listed"]>
}

export type RunToolListing = {
  readonly tools: readonly RunTool[]
  readonly unreachable: ReadonlyArray<{ readonly server: string; readonly detail: string }>
}

/** How long a run waits for one server's list. `needed`: servers with calls that people have answered; one of which nothing is known yet is waited for. */
export type ListPatience = { readonly listMs?: number; readonly needed?: readonly string[] }

/** As on `/mcp`. */
const usualListMs = 5_000

/** The tools of these servers as the run's agent may be told of them: as accepted, without what policy hides. */
export async function toolsForRun(
  backends: readonly ServerBackend[],
  who: Pick<Call, "principal" | "session">,
  /** The ids of all servers, by which names are told apart. */
  ids: readonly string[],
  patience: ListPatience = {},
): Promise<RunToolListing> {
  const lists = await Promise.all(backends.map((backend) => toolsOf(backend, who, patience)))
  return {
    tools: lists.flatMap((list) => ("tools" in list ? named(list.tools, ids) : [])),
    unreachable: lists.flatMap((list) => ("tools" in list ? [] : [list])),
  }
}

/** Names for the tools of one server. */
function named(tools: ReadonlyArray<Omit<RunTool, "name">>, ids: readonly string[]): readonly RunTool[] {
  const [first] = tools
  if (first === undefined) return []
  const names = toolNames(
    first.ref.server,
    tools.map(({ ref }) => ref.tool),
    ids,
  )
  return tools.flatMap((tool) => {
    const name = names.nameOf(tool.ref.tool)
    return name === undefined ? [] : [{ ...tool, name }]
  })
}

async function toolsOf(
  { relay }: ServerBackend,
  who: Pick<Call, "principal" | "session">,
  { listMs = usualListMs, needed = [] }: ListPatience,
): Promise<{ readonly tools: ReadonlyArray<Omit<RunTool, "name">> } | RunToolListing["unreachable"][number]> {
  const server = relay.server.id
  if (relay.isStopped()) return { server, detail: "It is stopped." }
  try {
    const list = relay.connections.of(absentCaller({ id: who.session.id, ...who })).tools
    const reading = list.tools()
    const known = (await inTime(reading, listMs)) ?? list.last()
    if (known === null && !needed.includes(server)) return { server, detail: "It did not answer in time." }
    const listed = known ?? (await reading)
    const tools: Array<Omit<RunTool, "name">> = []
    for (const [name, offered] of await relay.tools.offered(listed)) {
      const definition = listed.get(name)
      if (definition === undefined) continue
      const target = { server, kind: "tool", name } as const
      const { effect } = await relay.context.gate.judge(target, undefined, { ...who, listed: { definition } })
      if (effect === "hide") continue
      const { description } = offered
      tools.push({
        ref: { server, tool: name },
        ...(typeof description === "string" ? { description } : {}),
        inputSchema: objectAt(offered, "inputSchema") ?? { type: "object" },
        listed: { definition },
      })
    }
    return { tools }
  } catch (error) {
    return { server, detail: error instanceof Error ? error.message : String(error) }
  }
}
