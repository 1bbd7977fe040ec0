import {
  type DecisionState,
  type JsonObject,
  type JsonValue,
  type Pin,
  type PinState,
  type Policy,
  type ToolDefinition,
  type ToolFacts,
  type ToolRef,
  toolFacts,
} from "@byleave/core"
import type { Service } from "../service.ts"
import { ownPicture } from "./own-picture.ts"

/** What is known of tools at one moment, for showing and explaining. */
export type ToolKnowledge = {
  readonly pinOf: (tool: ToolRef) => Pin | undefined
  readonly factsOf: (tool: ToolRef) => ToolFacts
  readonly toolsOf: (server: string) => readonly string[]
}

/** `policy`: by which access is told; the one in force unless another is tried out. */
export function toolKnowledge(
  service: Service,
  { pins }: Pick<DecisionState, "pins">,
  policy: Policy = service.policy(),
): ToolKnowledge {
  const servers = new Map(policy.servers.map((server) => [server.id, server]))
  const byServer = new Map<string, Map<string, Pin>>()
  for (const pin of pins) {
    const known = byServer.get(pin.server) ?? new Map<string, Pin>()
    byServer.set(pin.server, known.set(pin.tool, pin))
  }
  const pinOf = ({ server, tool }: ToolRef): Pin | undefined => byServer.get(server)?.get(tool)
  return {
    pinOf,
    toolsOf: (server) => [...(byServer.get(server)?.keys() ?? [])],
    factsOf: (tool) => {
      const server = servers.get(tool.server)
      const pin = pinOf(tool)
      const newest = pin?.proposed ?? pin?.accepted
      return toolFacts({
        tool,
        definition: newest?.definition ?? null,
        server,
        classify: policy.classify,
        pin: pinStateOf(pin, server?.pin === "off"),
        fingerprint: newest?.fingerprint ?? "",
        ...(service.validator === undefined ? {} : { validator: service.validator }),
      })
    },
  }
}

function pinStateOf(pin: Pin | undefined, off: boolean): PinState {
  if (off) return "unpinned"
  if (pin === undefined || pin.accepted === null) return "new"
  return pin.proposed === null ? "accepted" : "changed"
}

/** What the server says of its tool, told apart from everything we say. */
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
