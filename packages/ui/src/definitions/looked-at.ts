import type { PinView } from "@byleave/api"

/** Names a pin among those of its server. */
export function pinKey({ of, tool }: PinView): string {
  return JSON.stringify([of, tool])
}

/** A definition as a person sees it. Both sides in full: a fingerprint that leaves out words stays the same when they change. */
export function asDisplayed(pin: PinView): string {
  return JSON.stringify([pinKey(pin), pin.accepted?.whole ?? null, pin.proposed?.whole ?? null])
}

export function lookedAt(looked: ReadonlySet<string>, pin: PinView): ReadonlySet<string> {
  const displayed = asDisplayed(pin)
  return looked.has(displayed) ? looked : new Set([...looked, displayed])
}

/** How many of these have not been opened as they are now. */
export function leftToLookAt(pins: readonly PinView[], looked: ReadonlySet<string>): number {
  return pins.filter((pin) => !looked.has(asDisplayed(pin))).length
}
