import type { PinView } from "@byleave/api"

/** A definition as it was seen: another fingerprint is another thing to look at. */
function sight({ tool, proposed }: PinView): string {
  return JSON.stringify([tool, proposed?.fingerprint ?? null])
}

export function lookedAt(looked: ReadonlySet<string>, pin: PinView): ReadonlySet<string> {
  return new Set([...looked, sight(pin)])
}

/** How many of these have not been opened as they are now. */
export function leftToLookAt(pins: readonly PinView[], looked: ReadonlySet<string>): number {
  return pins.filter((pin) => !looked.has(sight(pin))).length
}
