import {
  type Approval,
  type DecisionState,
  type JsonObject,
  type JsonValue,
  type Pin,
  type PinAnswer,
  type PinDepth,
  type PinState,
  type Policy,
  type ProposedDefinition,
  pinState,
  programPin,
  type ToolDefinition,
  type ToolFacts,
  type ToolRef,
  toolFacts,
} from "@byleave/core"
import type { ApiService } from "../service.ts"
import { ownPicture } from "./own-picture.ts"

/** The known facts about tools at one moment, for showing and explaining. */
export type ToolKnowledge = {
  readonly pinOf: (tool: ToolRef) => Pin | undefined
  readonly factsOf: (tool: ToolRef) => ToolFacts
  readonly toolsOf: (server: string) => readonly string[]
  /** The pin of the server's program, where that is known. */
  readonly programOf: (server: string) => Pin | undefined
  /** Of the server as a whole; null: it is in none. */
  readonly quarantineOf: (server: string) => PinAnswer | null
}

/** `policy`: by which access is told; the one in force unless another is tried out. */
export function toolKnowledge(
  service: Pick<ApiService, "policy" | "validator">,
  { pins }: Pick<DecisionState, "pins">,
  policy: Policy = service.policy(),
): ToolKnowledge {
  const servers = new Map(policy.servers.map((server) => [server.id, server]))
  const byServer = new Map<string, Map<string, Pin>>()
  const quarantines = new Map(
    pins.flatMap(({ of, server, quarantined }) =>
      of === "server" && quarantined !== undefined ? [[server, quarantined] as const] : [],
    ),
  )
  for (const pin of pins) {
    if (pin.of === "server") continue
    const known = byServer.get(pin.server) ?? new Map<string, Pin>()
    byServer.set(pin.server, known.set(pin.tool, pin))
  }
  const pinOf = ({ server, tool }: ToolRef): Pin | undefined => byServer.get(server)?.get(tool)
  const programOf = (server: string): Pin | undefined => byServer.get(server)?.get(programPin)
  return {
    pinOf,
    programOf,
    quarantineOf: (server) => quarantines.get(server) ?? null,
    toolsOf: (server) => [...(byServer.get(server)?.keys() ?? [])].filter((name) => name !== programPin),
    factsOf: (tool) => {
      const server = servers.get(tool.server)
      const pin = pinOf(tool)
      const newest = pin?.proposed ?? pin?.accepted
      return toolFacts({
        tool,
        definition: newest?.definition ?? null,
        server,
        classify: policy.classify,
        pin: quarantines.has(tool.server)
          ? "quarantined"
          : pinStateOf(pin, server?.pin ?? "full", programOf(tool.server)?.proposed ?? null),
        fingerprint: newest?.fingerprint ?? "",
        ...(service.validator === undefined ? {} : { validator: service.validator }),
      })
    },
  }
}

/** The definition that a call of a tool was judged by, while it is still known; else the newest. Null for what is no tool. */
export function definitionFor(
  tools: ToolKnowledge,
  { kind, tool, fingerprint }: Pick<Approval, "kind" | "tool" | "fingerprint">,
): ToolDefinition | null {
  const pin = kind === "tool" ? tools.pinOf(tool) : undefined
  const known = [pin?.accepted, pin?.proposed].find((seen) => seen?.fingerprint === fingerprint)
  return known?.definition ?? pin?.proposed?.definition ?? pin?.accepted?.definition ?? null
}

/** The definition known last counts as the server's current one; `moved`: another program, which is the server now. */
export function pinStateOf(pin: Pin | undefined, depth: PinDepth, moved: ProposedDefinition | null = null): PinState {
  const state = pinState(pin, (pin?.proposed ?? pin?.accepted)?.fingerprint ?? "", depth)
  if (state !== "accepted" || moved === null) return state
  return moved.rejected === undefined ? "changed" : "rejected"
}

/** The server's own words about its tool, kept apart from everything we say. */
export function toolWords(definition: ToolDefinition) {
  return {
    title: textOf(definition.title),
    description: textOf(definition.description),
    icon: ownPicture(definition.icons),
    annotations: objectOf(definition.annotations),
    inputSchema: objectOf(definition.inputSchema),
  }
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? value : null
}

function objectOf(value: JsonValue | undefined): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}
