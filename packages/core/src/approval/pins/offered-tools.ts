/**
 * A server's tools in the words that agents may be told.
 *
 * I1. Nobody is told a definition that no reviewer accepted and that was not there at first sight, unless policy offers new tools.
 * I2. What is accepted as it stands is told as it stands.
 */
import { CallError } from "../../call/call-error.ts"
import { fingerprint } from "../../call/definition/fingerprint.ts"
import type { PinDepth, ToolDefinition } from "../../call/definition/tool-definition.ts"
import type { Hasher } from "../../call/hasher.ts"
import type { NewTools } from "../../policy/rules/rule.ts"
import type { Pin } from "./pin.ts"
import { pinState } from "./pins.ts"

export type Pinning = {
  readonly pins: readonly Pin[]
  readonly depth: PinDepth
  readonly newTools: NewTools
  readonly hasher: Hasher
}

/** In the server's order. A changed tool stands there as it was accepted; one that nobody accepted, or that is in quarantine, is left out. */
export function offeredTools(tools: readonly ToolDefinition[], pinning: Pinning): readonly ToolDefinition[] {
  const own = pinning.pins.find((pin) => pin.of === "server")
  if (own?.quarantined !== undefined) return []
  const pins = new Map(pinning.pins.flatMap((pin) => (pin.of === undefined ? [[pin.tool, pin] as const] : [])))
  return tools.flatMap((tool) => offeredTool(tool, pins.get(tool.name), pinning) ?? [])
}

function offeredTool(tool: ToolDefinition, pin: Pin | undefined, pinning: Pinning): ToolDefinition | null {
  const { depth, newTools, hasher } = pinning
  const print = fingerprintOf(tool, depth, hasher)
  if (print === null) return null
  const state = pinState(pin, print, depth)
  switch (state) {
    case "accepted":
    case "unpinned":
      return tool
    case "changed":
    case "rejected":
      return pin?.accepted?.definition ?? null
    case "new":
      return newTools === "offer" ? tool : null
    case "quarantined":
      return null
    default:
      return state satisfies never
  }
}

/** Null: it has none, so nobody can accept it. */
function fingerprintOf(tool: ToolDefinition, depth: PinDepth, hasher: Hasher): string | null {
  try {
    return fingerprint(tool, depth, hasher)
  } catch (error) {
    if (error instanceof CallError) return null
    throw error
  }
}
