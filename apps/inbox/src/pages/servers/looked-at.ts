import type { PinView } from "@byleave/api"

/** Names a pin among those of its server. */
export function pinKey({ of, tool }: PinView): string {
  return JSON.stringify([of, tool])
}

/** A definition as it was seen: another fingerprint is another thing to look at. */
function sight(pin: PinView): string {
  return JSON.stringify([pinKey(pin), pin.proposed?.fingerprint ?? null])
}

export function lookedAt(looked: ReadonlySet<string>, pin: PinView): ReadonlySet<string> {
  return new Set([...looked, sight(pin)])
}

/** How many of these have not been opened as they are now. */
export function leftToLookAt(pins: readonly PinView[], looked: ReadonlySet<string>): number {
  return pins.filter((pin) => !looked.has(sight(pin))).length
}
