const unitMs = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
])

const longest = 3650 * 86_400_000

/** `50s`, `30m`, `8h`, `2d` in milliseconds; undefined for anything else, for nothing at all, and beyond ten years. */
export function parseDuration(text: string): number | undefined {
  const match = /^([0-9]{1,12}(?:\.[0-9]{1,3})?)(ms|s|m|h|d)$/.exec(text)
  if (match === null) return undefined
  const ms = Math.round(Number(match[1]) * (unitMs.get(match[2] ?? "") ?? Number.NaN))
  return ms > 0 && ms <= longest ? ms : undefined
}

/** The shortest way to write a duration that `parseDuration` reads back. */
export function formatDuration(ms: number): string {
  for (const unit of ["d", "h", "m", "s"]) {
    const size = unitMs.get(unit) ?? 1
    if (ms >= size && ms % size === 0) return `${ms / size}${unit}`
  }
  return `${ms}ms`
}
