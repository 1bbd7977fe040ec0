/** Of no numbers it is NaN, which no row takes for reached. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5)
}

export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
