import {
  definitionDifference,
  definitionFlags,
  fingerprint,
  type JsonObject,
  type JsonValue,
  portableHasher,
  type ToolDefinition,
} from "@byleave/core"
import type { PinView } from "../views/server-view.ts"

/**
 * A pin with everything that can be worked out from the two definitions worked out here, so that what an answer is bound to, by its
 * fingerprint and by `definitionsDigest`, is what the person was shown. A program between the page and the service cannot have another
 * definition accepted, nor this one compared with another than was accepted before.
 */
export function asShown(pin: PinView): PinView {
  const accepted = pin.accepted === null ? null : definitionOf(pin, pin.accepted.whole)
  if (pin.proposed === null) return { ...pin, differences: [], flags: [] }
  const proposed = definitionOf(pin, pin.proposed.whole)
  return {
    ...pin,
    proposed: {
      ...pin.proposed,
      fingerprint: fingerprint(proposed, pin.depth, portableHasher),
      definition: { ...pin.proposed.definition, ...wordsOf(proposed) },
    },
    differences: accepted === null ? [] : definitionDifference(accepted, proposed),
    flags: definitionFlags(accepted, proposed),
  }
}

/** Its parts that are shown by themselves; its picture says nothing. */
function wordsOf({ title, description, annotations, inputSchema }: ToolDefinition) {
  return {
    title: typeof title === "string" ? title : null,
    description: typeof description === "string" ? description : null,
    annotations: objectOf(annotations),
    inputSchema: objectOf(inputSchema),
  }
}

function objectOf(value: JsonValue | undefined): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}

/** The name is the one that is shown. */
function definitionOf({ tool }: PinView, whole: JsonObject): ToolDefinition {
  return { ...whole, name: tool }
}
