/**
 * The fingerprint of a tool definition: what a pin remembers and an approval is bound to.
 *
 * I1. `full` changes with any change of the definition but the order of its keys.
 * I2. `schema` changes with any change but that and words for people: a flipped hint always counts.
 */

import type { Hasher } from "../hasher.ts"
import { canonicalJson } from "../json/canonical-json.ts"
import type { JsonObject, JsonValue } from "../json/json.ts"
import { isObject } from "../json/members.ts"
import { type DefinitionPart, isWords, partOfElement, partOfMember } from "./definition-part.ts"
import type { PinDepth, ToolDefinition } from "./tool-definition.ts"

export function fingerprint(definition: ToolDefinition, depth: PinDepth, hasher: Hasher): string {
  switch (depth) {
    case "full":
      return hasher.sha256(canonicalJson(definition))
    case "schema":
      return hasher.sha256(canonicalJson(withoutWords(definition, "definition")))
    case "off":
      return "off"
    default:
      return depth satisfies never
  }
}

function withoutWords(value: JsonValue, part: DefinitionPart): JsonValue {
  if (part === "other") return value
  if (Array.isArray(value)) return value.map((element: JsonValue) => withoutWords(element, partOfElement(part)))
  return isObject(value) ? membersWithoutWords(value, part) : value
}

function membersWithoutWords(object: JsonObject, part: DefinitionPart): JsonObject {
  const kept: Array<readonly [string, JsonValue]> = []
  for (const [key, value] of Object.entries(object)) {
    if (isWords(part, key, value)) continue
    const inner = partOfMember(part, key)
    const rest = withoutWords(value, inner)
    // Annotations that held a title alone say no more than absent ones.
    if (inner === "annotations" && isObject(rest) && Object.keys(rest).length === 0) continue
    kept.push([key, rest])
  }
  // Not by assignment: a member may be called "__proto__".
  return Object.fromEntries(kept)
}
