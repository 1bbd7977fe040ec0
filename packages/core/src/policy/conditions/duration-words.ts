const units = [
  ["day", 24 * 60 * 60_000],
  ["hour", 60 * 60_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const

/** A length of time in its largest whole unit: "30 minutes", "90 seconds", "8 hours". */
export function durationWords(ms: number): string {
  const [name, length] = units.find(([, size]) => ms >= size && ms % size === 0) ?? ["second", 1_000]
  const count = Math.round(ms / length)
  return `${count} ${name}${count === 1 ? "" : "s"}`
}
