/**
 * Whether arguments name a place where secrets are kept, by their text or, for files that can be seen from here, by where a path leads.
 *
 * I1. What holds for an allow of what is not sensitive names no such place, neither by its text nor wherever it may lead.
 */
import type { JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { namesSecretPlace } from "../risks/sensitive-name.ts"
import type { Judgement } from "./judgement.ts"
import { formatPath, isAbsolutePath, longestPath } from "./path.ts"
import type { PathContext, PathLookup } from "./path-under.ts"

/** Stands for all arguments together. */
export const everyArgument = "*"

type Found = "yes" | "no" | "unknown"

export function compileSensitive(
  wanted: boolean,
  needsAll: boolean,
  context: PathContext & { readonly isOfFiles?: boolean },
): (value: JsonValue, lookup: PathLookup) => Judgement {
  const canFollow = context.isOfFiles === true && context.realPaths !== undefined
  const bases = context.bases ?? []
  const inText = (text: string, lookup: PathLookup): Found => {
    if (namesSecretPlace(text)) return "yes"
    if (!canFollow || text.length > longestPath || /[\n\0]/.test(text)) return "no"
    const paths = isAbsolutePath(text) ? [text] : bases.map((base) => `${base}/${text}`)
    return strongest(paths.map((path) => whereItLeads(path, lookup)))
  }
  const inValue = (value: JsonValue, lookup: PathLookup): Found => {
    if (typeof value === "string") return inText(value, lookup)
    if (typeof value !== "object" || value === null || isRawNumber(value)) return "no"
    const inner = Array.isArray(value) ? value : Object.values(value)
    return strongest(inner.map((each) => inValue(each, lookup)))
  }
  const doubt: Judgement = needsAll ? { unjudged: "an argument cannot be followed to where it leads" } : "holds"
  return (value, lookup) => {
    const found = inValue(value, lookup)
    if (found === "unknown") return doubt
    return (found === "yes") === wanted ? "holds" : "fails"
  }
}

function whereItLeads(path: string, lookup: PathLookup): Found {
  const places = lookup.placesOf(path)
  if (places === null) return "unknown"
  return places.some((place) => namesSecretPlace(formatPath(place))) ? "yes" : "no"
}

function strongest(found: readonly Found[]): Found {
  if (found.includes("yes")) return "yes"
  return found.includes("unknown") ? "unknown" : "no"
}
