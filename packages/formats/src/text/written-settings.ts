import { type ClassifyRule, formatTargetPattern, type JsonValue, type Limits } from "@byleave/core"
import { formatDuration } from "../read/duration.ts"

/** An entry of `policy.classify` as it stands in a file. */
export function writtenClassify({ access, target }: ClassifyRule): { readonly [access: string]: string } {
  return { [access]: formatTargetPattern(target) }
}

/** The entries of `limits` as they stand in a file. */
export function writtenLimits(limits: Partial<Limits>): ReadonlyArray<readonly [keyof Limits, JsonValue]> {
  return Object.entries(limits).flatMap(([name, value]): ReadonlyArray<readonly [keyof Limits, JsonValue]> => {
    const key = name as keyof Limits
    if (value === undefined) return []
    if (typeof value === "number") return [[key, value]]
    if ("forMs" in value)
      return [[key, { after: value.after.map(formatTargetPattern), for: formatDuration(value.forMs) }]]
    const { withinMs, ...count } = value
    return [[key, { ...count, within: formatDuration(withinMs) }]]
  })
}
