import {
  definitionDifference,
  definitionFlags,
  fingerprint,
  type JsonObject,
  portableHasher,
  type ToolDefinition,
} from "@byleave/core"
import type { PinView } from "./views/server-view.ts"

/**
 * A pin with everything that can be worked out from the two definitions worked out here, so that the fingerprint which an answer names is
 * that of the definition the person was shown. Whoever stands between a face and the service cannot have another one accepted.
 */
export function asShown(pin: PinView): PinView {
  const accepted = pin.accepted === null ? null : definitionOf(pin, pin.accepted.whole)
  if (pin.proposed === null) return { ...pin, differences: [], flags: [] }
  const proposed = definitionOf(pin, pin.proposed.whole)
  return {
    ...pin,
    proposed: { ...pin.proposed, fingerprint: fingerprint(proposed, pin.depth, portableHasher) },
    differences: accepted === null ? [] : definitionDifference(accepted, proposed),
    flags: definitionFlags(accepted, proposed),
  }
}

/** The name is the one that is shown. */
function definitionOf({ tool }: PinView, whole: JsonObject): ToolDefinition {
  return { ...whole, name: tool }
}
