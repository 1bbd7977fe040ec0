const shortest = 6

/** Why a new PIN cannot be taken; null when it can. */
export function pinProblem(pin: string, again: string): string | null {
  if (pin.length < shortest) return "Choose a PIN of at least six characters."
  return pin === again ? null : "The PINs do not match."
}
