const units = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1_000, "second"],
] as const

function amount(ms: number): string {
  for (const [size, word] of units) {
    const count = Math.floor(ms / size)
    if (count >= 1) return `${count} ${word}${count === 1 ? "" : "s"}`
  }
  return "a moment"
}

/** `3 minutes ago` */
export function ago(ms: number): string {
  return ms < 1_000 ? "just now" : `${amount(ms)} ago`
}

/** `12s`, `3m`, `7h`, `2d`: for lists, where there is little room. */
export function shortAge(ms: number): string {
  const [size, word] = units.find(([each]) => ms >= each) ?? [1_000, "second"]
  return `${Math.floor(ms / size)}${word.slice(0, 1)}`
}

/** `in 3 minutes`, `in 7 hours 58 minutes`: an end is told more closely than a beginning. */
export function inWords(ms: number): string {
  if (ms <= 0) return "now"
  const [whole, part] = ms < 86_400_000 ? [3_600_000, 60_000] : [86_400_000, 3_600_000]
  const rest = ms % whole
  return ms < whole || rest < part ? `in ${amount(ms)}` : `in ${amount(ms)} ${amount(rest)}`
}
