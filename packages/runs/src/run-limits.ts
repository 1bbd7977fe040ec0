/** How much agent runs may take; apart from what agents may. */
export type RunLimits = {
  /** Runs of one starter that are not over, and of all. */
  readonly openPerStarter: number
  readonly openInAll: number
  /** Bytes of one run's journal. */
  readonly bytes: number
  /** Steps of one leg, where whoever starts the run does not say fewer. */
  readonly steps: number
  /** Legs that one process carries out at the same time; more wait their turn. */
  readonly legs: number
}

export const defaultRunLimits: RunLimits = {
  openPerStarter: 10_000,
  openInAll: 50_000,
  bytes: 64 * 1024 * 1024,
  steps: 50,
  legs: 16,
}
