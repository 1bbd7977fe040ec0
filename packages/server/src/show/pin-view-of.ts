import type { PinView } from "@byleave/api"
import {
  type DefinitionFlag,
  definitionDifference,
  definitionFlags,
  type Pin,
  type ToolDefinition,
} from "@byleave/core"
import type { ApiService } from "../service.ts"
import { pinStateOf, toolWords } from "./tool-knowledge.ts"

export function pinViewOf(service: Pick<ApiService, "policy">, pin: Pin): PinView {
  const { server, tool, accepted, proposed } = pin
  const depth = service.policy().servers.find(({ id }) => id === server)?.pin ?? "full"
  return {
    server,
    tool,
    of: pin.of ?? "tool",
    state: pinStateOf(pin, depth),
    depth: pin.of === "server" ? "full" : depth,
    accepted: accepted === null ? null : { ...accepted, ...shown(accepted.definition) },
    proposed:
      proposed === null ? null : { ...proposed, ...shown(proposed.definition), rejected: proposed.rejected ?? null },
    quarantined: pin.quarantined ?? null,
    differences:
      accepted === null || proposed === null ? [] : definitionDifference(accepted.definition, proposed.definition),
    flags: proposed === null ? [] : flagsOf(accepted?.definition ?? null, proposed.definition),
  }
}

function shown(whole: ToolDefinition) {
  return { definition: toolWords(whole), whole }
}

/** Looked through once per definition that the store gives, however often people look. */
const known = new WeakMap<
  ToolDefinition,
  { readonly before: ToolDefinition | null; readonly flags: readonly DefinitionFlag[] }
>()

function flagsOf(before: ToolDefinition | null, after: ToolDefinition): readonly DefinitionFlag[] {
  const found = known.get(after)
  if (found !== undefined && found.before === before) return found.flags
  const flags = definitionFlags(before, after)
  known.set(after, { before, flags })
  return flags
}
